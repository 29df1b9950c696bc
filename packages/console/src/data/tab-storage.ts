import { memoryStorage, type TabStorage } from "./memory-storage.ts";

/** Session storage, or an in-memory map where the browser blocks storage. */
export const tabStorage: TabStorage = openTabStorage();

function openTabStorage(): TabStorage {
  try {
    sessionStorage.setItem("ironlease.probe", "1");
    sessionStorage.removeItem("ironlease.probe");
    return {
      getItem: (name) => sessionStorage.getItem(name),
      setItem: (name, value) => sessionStorage.setItem(name, value),
      removeItem: (name) => sessionStorage.removeItem(name),
      names: () => Object.keys(sessionStorage),
    };
  } catch {
    return memoryStorage();
  }
}
