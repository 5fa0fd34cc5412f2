
"use strict";
(() => {
  const VERDICTS = { a: "accept", r: "reject", u: "unsure" };
  const LONGEST_COMMENT = 2000;
  const { format, export: digest, reviewer, blind } = document.body.dataset;
  const KEY = `isogloss-review:${digest}`;
  const find = (id) => document.getElementById(id);
  const pairs = [...document.querySelectorAll(".pair")];
  const byHash = new Map(pairs.map((pair) => [pair.dataset.sha256, pair]));
  const machine = (pair) => pair.querySelector(".machine");
  let state = { reviewer, filter: "all", at: 0, shortcuts: true, decisions: {}, seen: {} };

  const say = (words) => { find("message").textContent = words; };
  const decision = (pair) => state.decisions[pair.dataset.sha256] ?? { verdict: "", comment: "" };
  const isDecided = (pair) => decision(pair).verdict !== "";
  const isShown = (pair) => state.filter === "all" ||
    (state.filter === "undecided" && !isDecided(pair)) ||
    (state.filter === "failed" && pair.dataset.failed === "yes");
  const counted = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

  function save() {
    try {
      localStorage.setItem(KEY, JSON.stringify(state));
    } catch {
      say("This browser keeps no progress. Download your decisions before you close the page.");
    }
  }

  function isDecision(entry) {
    return entry !== null && typeof entry === "object" && byHash.has(entry.text_sha256) &&
      ["", ...Object.values(VERDICTS)].includes(entry.verdict) &&
      typeof entry.comment === "string" && entry.comment.length <= LONGEST_COMMENT &&
      !Number.isNaN(Date.parse(entry.decided_at)) && typeof entry.blind === "boolean";
  }

  function restore() {
    try {
      const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
      state = { ...state, ...kept };
    } catch {
      say("What was kept here cannot be read. Load a file of decisions, or start over.");
    }
    const filters = [...find("filter").options].map((option) => option.value);
    if (!filters.includes(state.filter)) state.filter = "all";
    if (!pairs[state.at]) state.at = 0;
  }

  function progress() {
    const decided = pairs.filter(isDecided).length;
    find("progress").textContent = `${decided} of ${pairs.length} decided`;
    find("bar").value = decided;
  }

  function fillMachine(pair) {
    if (!machine(pair)) return;
    const seen = Boolean(state.seen[pair.dataset.sha256]);
    machine(pair).hidden = !seen;
    pair.querySelector(".reveal").hidden = seen;
  }

  function reveal(pair) {
    if (!machine(pair)) return;
    state.seen[pair.dataset.sha256] = true;
    fillMachine(pair);
    save();
  }

  function fill(pair) {
    const { verdict, comment } = decision(pair);
    for (const radio of pair.querySelectorAll("[type=radio]")) radio.checked = radio.value === verdict;
    pair.querySelector("textarea").value = comment;
    fillMachine(pair);
  }

  function fillAll() {
    find("reviewer").value = state.reviewer;
    find("filter").value = state.filter;
    find("shortcuts").checked = state.shortcuts;
    pairs.forEach(fill);
    progress();
  }

  function show(at, focus = true) {
    pairs.forEach((pair, i) => { pair.hidden = i !== at; });
    state.at = at;
    // Whoever asks for what failed knows what the machine said.
    if (state.filter === "failed" && pairs[at]) reveal(pairs[at]);
    save();
    if (focus) pairs[at]?.querySelector("h2").focus();
  }

  function move(step) {
    for (let at = state.at + step; pairs[at]; at += step) {
      if (isShown(pairs[at])) {
        say("");
        show(at);
        return;
      }
    }
    const kind = state.filter === "all" ? "" : `${state.filter} `;
    say(step > 0 ? `No ${kind}pair after this one.` : `No ${kind}pair before this one.`);
  }

  function choose(filter) {
    state.filter = filter;
    const at = pairs.findIndex(isShown);
    if (at < 0) say("No pair to show here.");
    show(at < 0 || isShown(pairs[state.at]) ? state.at : at, false);
  }

  function decide(pair, changes) {
    const { sha256, set, item, contrast } = pair.dataset;
    const before = state.decisions[sha256];
    const unseen = blind === "yes" || !state.seen[sha256];
    state.decisions[sha256] = {
      item_set: set, item_id: item, contrast, text_sha256: sha256, verdict: "", comment: "",
      ...before, ...changes, decided_at: new Date().toISOString(),
      blind: "verdict" in changes || !before ? unseen : before.blind,
    };
    if ("verdict" in changes) {
      reveal(pair);
      say(`Pair ${pairs.indexOf(pair) + 1}: ${changes.verdict}`);
    }
    fill(pair);
    progress();
    save();
  }

  function download() {
    const decisions = Object.values(state.decisions).filter((one) => one.verdict || one.comment);
    const content = { format, export: digest, reviewer: state.reviewer, blind: blind === "yes",
      decisions };
    const file = new Blob([JSON.stringify(content, null, 1)], { type: "application/json" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    const name = state.reviewer.replace(/[^\p{L}\p{N}]+/gu, "-");
    link.download = `review-${digest.slice(0, 8)}${name ? `-${name}` : ""}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    const open = decisions.filter((one) => !one.verdict).length;
    say(open ? `Downloaded. ${counted(open, "comment")} without a verdict: give one before you send ` +
      "the file." : `Downloaded ${counted(decisions.length, "decision")}.`);
  }

  function take(text) {
    const content = JSON.parse(text);
    if (content?.format !== format || !Array.isArray(content.decisions)) {
      throw new Error("it is not a file of decisions");
    }
    if (content.export !== digest) throw new Error("it belongs to another export");
    const usable = content.decisions.filter(isDecision);
    for (const one of usable) {
      const mine = state.decisions[one.text_sha256];
      if (!mine || Date.parse(one.decided_at) > Date.parse(mine.decided_at)) {
        state.decisions[one.text_sha256] = one;
        if (one.verdict) state.seen[one.text_sha256] = true;
      }
    }
    if (!state.reviewer && typeof content.reviewer === "string") state.reviewer = content.reviewer;
    save();
    fillAll();
    const left = content.decisions.length - usable.length;
    say(`Loaded ${counted(usable.length, "decision")}.` +
      (left ? ` ${left} could not be read and were left out.` : ""));
  }

  async function load(input) {
    try {
      if (input.files[0].size > 2e7) throw new Error("it is larger than 20 MB");
      take(await input.files[0].text());
    } catch (error) {
      say(`The file was not loaded: ${error instanceof SyntaxError ? "it is not JSON" : error.message}.`);
    }
    input.value = "";
  }

  function startOver() {
    if (!confirm("Forget every decision on this page? Download them first if you need them.")) return;
    state = { ...state, reviewer, filter: "all", decisions: {}, seen: {} };
    fillAll();
    show(0);
    say("All decisions on this page are forgotten.");
  }

  function press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || find("help").open || find("pairs").hidden) {
      return;
    }
    const { target, key } = event;
    if (key === "Escape" && target.matches("textarea")) {
      pairs[state.at].querySelector("h2").focus();
      return;
    }
    const isRadio = target.matches("[type=radio]");
    const isField = target.matches("textarea, select, input") && !isRadio;
    if (isField || !state.shortcuts || !pairs[state.at]) return;
    if (isRadio && key.startsWith("Arrow")) return;
    const actions = {
      j: () => move(1), ArrowRight: () => move(1), k: () => move(-1), ArrowLeft: () => move(-1),
      c: () => pairs[state.at].querySelector("textarea").focus(),
      m: () => reveal(pairs[state.at]), "?": () => find("help").showModal(),
    };
    for (const [letter, verdict] of Object.entries(VERDICTS)) {
      actions[letter] = () => decide(pairs[state.at], { verdict });
    }
    if (!Object.hasOwn(actions, key)) return;
    event.preventDefault();
    actions[key]();
  }

  function listen() {
    document.addEventListener("keydown", press);
    find("previous").addEventListener("click", () => move(-1));
    find("next").addEventListener("click", () => move(1));
    find("download").addEventListener("click", download);
    find("clear").addEventListener("click", startOver);
    find("help-button").addEventListener("click", () => find("help").showModal());
    find("load").addEventListener("change", (event) => load(event.target));
    find("filter").addEventListener("change", (event) => choose(event.target.value));
    find("reviewer").addEventListener("input", (event) => {
      state.reviewer = event.target.value;
      save();
    });
    find("shortcuts").addEventListener("change", (event) => {
      state.shortcuts = event.target.checked;
      save();
    });
    find("show-texts")?.addEventListener("click", () => {
      find("note").hidden = true;
      find("pairs").hidden = false;
      show(state.at);
    });
    for (const pair of pairs) {
      pair.querySelector("fieldset").addEventListener("change", (event) => {
        decide(pair, { verdict: event.target.value });
      });
      pair.querySelector("textarea").addEventListener("input", (event) => {
        decide(pair, { comment: event.target.value });
      });
      pair.querySelector(".reveal")?.addEventListener("click", () => {
        reveal(pair);
        machine(pair).focus();
      });
    }
  }

  restore();
  fillAll();
  listen();
  show(state.at, false);
})();
