// What the page keeps in the browser.

/** A browser may forbid storage; then the token lives as long as the page. */
export function safeStorage(storage) {
  const memory = new Map();
  return {
    get(name) {
      if (memory.has(name)) return memory.get(name);
      try { return storage().getItem(name); } catch { return null; }
    },
    set(name, value) { try { storage().setItem(name, value); memory.delete(name); } catch { memory.set(name, value); } },
    remove(name) { memory.delete(name); try { storage().removeItem(name); } catch { /* There was nothing to remove it from. */ } },
  };
}
