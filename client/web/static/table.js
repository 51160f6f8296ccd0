// The table itself: what one may propose to the others, and leaving.
import {act, button, el, now} from "./common.js";
import {network} from "./network.js";

export function drawSeats(part) {
  const {view, words} = now, propose = (text, fields) => button(text, () => act("propose", fields));
  const others = view.seats.map(seat => seat.mine ? "" : el("p", {}, el("b", {}, `${seat.letter} ${seat.name} `), seat.link, ` ${seat.owes} `,
    propose(words.without, {kind: "absent", names: [seat.name]}), seat.owes ? button(words.claim, () => act("claim", {name: seat.name})) : ""));
  if (now.over) return part.replaceChildren(el("p", {}, words.over));
  part.replaceChildren(...others, el("div", {className: "row"}, propose(words.takeback, {kind: "takeback"}), propose(words.end, {kind: "end"}), propose(words["let-in"], {kind: "back"}),
    button(words.notify, () => Notification.requestPermission()), button(words.leave, () => act("leave"))), network());
}
