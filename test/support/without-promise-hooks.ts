import asyncHooks from "node:async_hooks";

// The test runner follows every promise, so that it can name the test that an uncaught error belongs to. That takes up
// to a third of the processor time of a test. Without it, the runner still follows timers, sockets and files, and an
// uncaught error still fails its test file.

const { createHook } = asyncHooks;

asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
