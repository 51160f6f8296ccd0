// Standing orders: those that stand, to be ended, and what is picked, to answer all such questions from now on.
import {act, button, el, now} from "./common.js";

export const drawOrders = () => {
  const {view, words} = now;
  return el("details", {}, el("summary", {}, words.orders),
    ...view.orders.map(each => el("p", {}, each.text, button(words.lift, () => act("lift", {text: each.text})))),
    ...view.titles.map((text, at) => el("p", {}, text, ...[["round", words["order-round"]], ["game", words["order-game"]]].map(([until, title]) =>
      button(title, () => act("order", {at, until}))))));
};
