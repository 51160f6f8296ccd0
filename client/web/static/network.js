// A look at the network, one line a step with its cause and what to try.
import {act, button, el, now} from "./common.js";

export function network() {
  const {words, network: found} = now, looking = found?.looking ?? false;
  return el("div", {className: "network"}, el("div", {className: "row"}, button(looking ? words.looking : words.doctor, () => act("doctor"), {disabled: looking})),
    ...(found?.lines ?? []).map(line => el("p", {className: line.startsWith(" ") ? "hint" : ""}, line)));
}
