"use strict";
(function () {
  // View 0 is the start, view k the state before step k with its marks, the last one the end.
  const data = JSON.parse(document.getElementById("data").textContent);
  const steps = data.steps;
  const last = steps.length + 1;
  const byId = (id) => document.getElementById(id);
  const board = byId("board"), under = byId("under"), over = byId("over");
  let view = 0, applied = 0;

  // Everything a step changes, done or undone.
  function apply(step, done) {
    for (const [cell, digit] of step.gone) {
      byId("m" + cell + "-" + digit).classList.toggle("gone", done);
    }
    for (const [cell, digit] of step.placed) {
      byId("n" + cell).textContent = done ? digit + 1 : "";
    }
  }

  function show(next) {
    view = Math.max(0, Math.min(last, next));
    const wanted = Math.max(0, Math.min(steps.length, view - 1));
    while (applied < wanted) apply(steps[applied++], true);
    while (applied > wanted) apply(steps[--applied], false);
    const step = view >= 1 && view < last ? steps[view - 1] : null;
    under.innerHTML = step ? step.under : "";
    over.innerHTML = step ? step.over : "";
    const item = step ? byId("item-" + view) : null;
    byId("count").textContent = step ? data.step.replace("#", data.before + view) : view === 0 ? data.start : data.end;
    byId("words").innerHTML = item ? item.querySelector("a").innerHTML : view === 0 ? "" : data.outcome;
    board.setAttribute("aria-label", byId("count").textContent + " " + byId("words").textContent);
    document.querySelectorAll("#steps [aria-current]").forEach((e) => e.removeAttribute("aria-current"));
    if (item) {
      item.setAttribute("aria-current", "step");
      const list = byId("steps");
      if (list.scrollHeight > list.clientHeight) {
        list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
      }
    }
    byId("first").disabled = byId("back").disabled = view === 0;
    byId("forward").disabled = byId("last").disabled = view === last;
    document.body.dataset.view = view;
    try { history.replaceState(null, "", item ? "#step-" + view : "#"); } catch (e) { /* a sandboxed page has no history */ }
  }

  byId("first").onclick = () => show(0);
  byId("back").onclick = () => show(view - 1);
  byId("forward").onclick = () => show(view + 1);
  byId("last").onclick = () => show(last);
  byId("steps").addEventListener("click", (event) => {
    const item = event.target.closest("li");
    if (!item || event.target.closest("details")) return;
    event.preventDefault();
    show(Number(item.id.slice("item-".length)));
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = { ArrowRight: view + 1, ArrowLeft: view - 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    show(next);
  });
  byId("legend").open = window.matchMedia("(min-width: 761px)").matches;
  const asked = /^#step-(\d+)$/.exec(location.hash);
  show(asked ? Number(asked[1]) : data.first);
})();
