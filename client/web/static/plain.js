// The map as text, where none could be drawn.
import {act, runs} from "./common.js";

export async function plain(holder) {
  const answer = await act("picture", {name: "map", words: ""});
  if (answer?.ok) holder.replaceChildren(runs(answer.lines));
}
