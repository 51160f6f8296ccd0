// What the tabs show besides the log.
import {act, later, now, runs} from "./common.js";

let shown = "", spoken;
// fresh: the tab was just opened; open: says whether it still is.
export async function drawTab(tab, part, fresh, open) {
  const {view, log, words} = now, state = JSON.stringify([tab, words.yes, view.step, log.length, view.picked]);
  const reworded = spoken !== words;
  spoken = words;
  if (tab === "chat") {
    (await import("./chat.js")).drawChat(part);
    part.scrollTop = part.scrollHeight;
  } else if (tab === "table") (await import("./table.js")).drawSeats(part);
  else if (tab === "replay") { if (fresh || reworded) (await import("./past.js")).drawPast(part); }
  else if (fresh || state !== shown) {
    shown = state;
    const answer = await act("picture", {name: tab, words: ""});
    if (answer?.ok && open()) part.replaceChildren(answer.groups.length ? later("./sheet.js", one => one.sheet(answer.groups)) : runs(answer.lines));
  }
}
