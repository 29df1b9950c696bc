import assert from "node:assert/strict";
import { test } from "node:test";
import { readPointer, valueAt } from "./json-pointer.ts";

/** The document and the pointers of RFC 6901, section 5. */
const document = {
  foo: ["bar", "baz"],
  "": 0,
  "a/b": 1,
  "c%d": 2,
  "e^f": 3,
  "g|h": 4,
  "i\\j": 5,
  'k"l': 6,
  " ": 7,
  "m~n": 8,
};
const find = (pointer: string) => valueAt(document, readPointer(pointer) ?? assert.fail(pointer));

test("the examples of RFC 6901 lead to their values", () => {
  assert.equal(find(""), document);
  assert.equal(find("/foo"), document.foo);
  const values = ["/foo/0", "/", "/a~1b", "/c%d", "/e^f", "/g|h", "/i\\j", '/k"l', "/ ", "/m~0n"];
  assert.deepEqual(values.map(find), ["bar", 0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test("a pointer to nothing, past an array or into the prototype finds nothing", () => {
  const none = ["/x", "/foo/2", "/foo/-", "/foo/00", "/foo/length", "/foo/0/0", "/constructor"];
  for (const pointer of [...none, "/__proto__", "/foo/map"]) {
    assert.equal(find(pointer), undefined, pointer);
  }
});

test("text that does not start with a slash or has a wrong escape is not a pointer", () => {
  for (const text of ["foo", " /foo", "#/foo", "/a~2", "/a~"]) {
    assert.equal(readPointer(text), undefined, text);
  }
});
