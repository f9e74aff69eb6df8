// Runs in a room's page: keeps everything that a reader could have seen there of the sale, each with the time from which on it was shown.
//
// `window.saleRecord` has one list for each part of the page, of [milliseconds, what it showed]; rows are numbers of `words`. A part that is
// not on the page, or in a panel that is not chosen, is null.
(() => {
  const words = [];
  const numbers = new Map();
  const record = { words, live: [], room: [], lot: [], queue: [], results: [] };
  const last = {};
  window.saleRecord = record;

  const shown = (css) => {
    const element = document.querySelector(css);
    return element && !element.closest("[hidden]") ? element : null;
  };
  const plain = (element) => (element ? element.textContent.replace(/\s+/g, " ").trim() : "");
  const text = (css) => plain(shown(css));

  function numberOf(word) {
    if (!numbers.has(word)) {
      numbers.set(word, words.length);
      words.push(word);
    }
    return numbers.get(word);
  }
  const rows = (list, cells, keyOf = (row) => row.dataset.key ?? "") => [...list.children].map((row) => numberOf([keyOf(row), ...cells.map((css) => plain(row.querySelector(css)))].join("|")));

  const parts = {
    live: () => shown(".live")?.dataset.state ?? null,
    room() {
      if (!shown(".room-title")) return null;
      const eyebrow = text(".lot-words .eyebrow");
      return {
        facts: text(".room-facts"), phase: shown(".hero")?.dataset.phase ?? "", isNext: eyebrow.startsWith("Coming up"), name: text(".lot-name"),
        price: text(".price"), total: text(".hero .total"), leader: text(".leader"), banner: [...(shown(".banner")?.children ?? [])].map(plain).filter(Boolean),
        row: ["lot-open", "lot-facts > span:not(.tag, .chip)", "chip"].map((css) => text(`.lot-row.current .${css}`)),
        rows: document.querySelectorAll(".lot-row.current").length, summary: text(".lots-summary"),
      };
    },
    lot: () => (shown(".room-title") ? [text(".lot-words .eyebrow"), text(".lot-row.current .tag")] : null),
    queue() {
      const list = shown(".lots") && document.querySelector(".upcoming");
      if (!list) return null;
      return { rows: rows(list, [".lot-open", ".lot-facts"]), hasMore: [...document.querySelectorAll(".lots > button:not([hidden])")].length > 0 };
    },
    results: () => (shown(".lots") ? rows(document.querySelector(".result-list"), [".result-round", ".result-item", ".result-end"], () => "") : null),
  };

  function take() {
    const now = Date.now();
    for (const [name, read] of Object.entries(parts)) {
      const value = read();
      const version = JSON.stringify(value);
      if (last[name] === version) continue;
      last[name] = version;
      record[name].push([now, value]);
    }
  }

  // The countdown is written with every frame.
  const isClock = ({ target }) => Boolean((target.closest ? target : target.parentElement)?.closest(".hero-clock, .bar"));
  new MutationObserver((changes) => { if (!changes.every(isClock)) take(); }).observe(document.documentElement, {
    childList: true, characterData: true, subtree: true, attributes: true, attributeFilter: ["hidden", "data-state", "data-phase", "data-key"],
  });
  take();
})();
