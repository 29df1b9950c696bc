import { mapStorage, type TabStorage } from "./map-storage.ts";

/**
 * The tab's own storage: it outlives a reload and ends with the tab. Where the browser has switched
 * storage off, a map does for as long as the page lives.
 */
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
    return mapStorage();
  }
}
