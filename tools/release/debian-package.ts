import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { version } from "#server/version.ts";
import { writeBundle } from "./bundle.ts";
import { readManifest, repository } from "./compile.ts";

const architecture = { x64: "amd64", arm64: "arm64" }[process.arch as string];
const home = "usr/lib/ironlease";

/** The bundle as a Debian package, with units, user and settings in Debian's places. */
export function writeDebianPackage(bundle: string, file: string): void {
  if (architecture === undefined) throw new Error(`Debian has no name for ${process.arch}.`);
  const root = mkdtempSync(join(tmpdir(), "ironlease-deb-"));
  try {
    chmodSync(root, 0o755);
    fill(root, bundle);
    const options = ["--root-owner-group", "-Zgzip"];
    execFileSync("dpkg-deb", [...options, "--build", root, file], { stdio: "ignore" });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function fill(root: string, bundle: string): void {
  const put = (from: string, to: string, mode = 0o644) => {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    cpSync(from, join(root, to));
    chmodSync(join(root, to), mode);
  };
  cpSync(bundle, join(root, home), { recursive: true });
  const deploy = join(root, home, "deploy");
  for (const unit of globSync(join(deploy, "*.{service,timer}"))) {
    put(unit, join("usr/lib/systemd/system", basename(unit)));
  }
  put(join(deploy, "ironleased-admin"), "usr/sbin/ironleased", 0o755);
  put(join(deploy, "ironlease.env"), "etc/ironlease/ironlease.env", 0o600);
  put(join(deploy, "debian/sysusers.conf"), "usr/lib/sysusers.d/ironlease.conf");
  put(join(deploy, "debian/tmpfiles.conf"), "usr/lib/tmpfiles.d/ironlease.conf");
  const completion = join(root, home, "completions/ironleased.bash");
  put(completion, "usr/share/bash-completion/completions/ironleased");
  const licenses = ["LICENSE", "THIRD-PARTY-LICENSES.txt"].map((name) =>
    readFileSync(join(bundle, name), "utf8"),
  );
  mkdirSync(join(root, "usr/share/doc/ironlease"), { recursive: true });
  writeFileSync(join(root, "usr/share/doc/ironlease/copyright"), licenses.join("\n"));
  const manual = join(root, "usr/share/man/man8/ironleased.8.gz");
  mkdirSync(dirname(manual), { recursive: true });
  writeFileSync(manual, gzipSync(readFileSync(join(bundle, "man/ironleased.8"))));
  rmSync(join(root, home, "man"), { recursive: true });

  // They name the folder that the bundle's guide unpacks it to.
  for (const path of ["usr/lib/systemd/system/*", "usr/sbin/ironleased"]) {
    for (const file of globSync(join(root, path))) moveHome(file);
  }
  for (const script of ["postinst", "prerm", "postrm"]) {
    put(join(deploy, "debian", script), join("DEBIAN", script), 0o755);
  }
  // Together, because their pages link to each other.
  for (const path of ["docs", "deploy", "CHANGELOG.md"]) {
    renameSync(join(root, home, path), join(root, "usr/share/doc/ironlease", path));
  }
  const kilobytes = execFileSync("du", ["-sk", root], { encoding: "utf8" }).split("\t")[0];
  writeFileSync(join(root, "DEBIAN/conffiles"), "/etc/ironlease/ironlease.env\n");
  writeFileSync(join(root, "DEBIAN/control"), control(kilobytes ?? "0"));
}

function moveHome(file: string): void {
  const text = readFileSync(file, "utf8")
    .replaceAll("/opt/ironlease/docs", "/usr/share/doc/ironlease/docs")
    .replaceAll("/opt/ironlease", `/${home}`);
  writeFileSync(file, text);
}

function control(installedKilobytes: string): string {
  const { description } = readManifest("");
  return `Package: ironlease
Version: ${version}
Architecture: ${architecture}
Maintainer: Ironlease <ironlease@localhost>
Installed-Size: ${installedKilobytes}
Depends: libc6 (>= 2.28), libstdc++6, libgcc-s1, libatomic1, systemd | systemd-standalone-sysusers, systemd | systemd-standalone-tmpfiles
Section: net
Priority: optional
Description: ${String(description).split(":")[0]}
 The service with its console, and the Node that runs it.
`;
}

if (import.meta.main) {
  const [output = join(repository, "dist/debian")] = process.argv
    .slice(2)
    .map((path) => resolve(path));
  mkdirSync(output, { recursive: true });
  const file = join(output, `ironlease_${version}_${architecture}.deb`);
  const bundle = mkdtempSync(join(tmpdir(), "ironlease-bundle-"));
  try {
    await writeBundle(bundle);
    writeDebianPackage(bundle, file);
  } finally {
    rmSync(bundle, { recursive: true, force: true });
  }
  console.log(file);
}
