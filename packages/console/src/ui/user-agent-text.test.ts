import assert from "node:assert/strict";
import { test } from "node:test";
import { userAgentText } from "./user-agent-text.ts";

test("a known browser is shown with its system, anything else unchanged", () => {
  const chrome =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36";
  assert.equal(userAgentText(chrome), "Chrome on Linux");
  assert.equal(userAgentText(`${chrome} Edg/153.0.0.0`), "Edge on Linux");
  const safari =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1";
  assert.equal(userAgentText(safari), "Safari on iOS");
  assert.equal(userAgentText("ironlease-cli/0.1.0"), "ironlease-cli/0.1.0");
  assert.equal(userAgentText(""), "Unknown");
});
