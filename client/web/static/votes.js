// What somebody proposes to the others.
import {act, button, el, fill, now} from "./common.js";

export function draw(vote) {
  const {words} = now, say = yes => () => act("vote", {id: vote.id, yes});
  return el("div", {}, el("p", {}, fill(words.proposal, {name: vote.name, what: vote.text})), el("div", {className: "row"},
    button(words.yes, say(true), {className: "key"}), button(words.no, say(false))));
}
