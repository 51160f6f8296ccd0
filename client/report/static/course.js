// SPDX-License-Identifier: GPL-3.0-or-later
// The map at each moment, with marks on what changed, the other pictures of the game, and the curves.
"use strict";

const MARK = ' fill="none" stroke="#fff" stroke-width="5" stroke-dasharray="10 5"/>';
const place = piece => /^<g [^>]*data-place="([^"]*)"/.exec(piece)?.[1];

class Course {
  constructor({pieces, shows, pictures, curves}) {
    Object.assign(this, {pieces, shows, pictures, curves, at: facts.moments.length - 1, before: -1, timer: 0, watchers: []});
    this.opening = facts.moments.map((moment, at) => at).filter(at => !at || facts.moments[at].round > facts.moments[at - 1].round);
  }

  get moment() { return facts.moments[this.at]; }

  get mapped() { return this.shows.some(show => show.length); }

  // The moments that a step leads to: all of them, or those that open rounds.
  get stops() {
    const last = facts.moments.length - 1;
    return $("step").value === "rounds" ? [...new Set([...this.opening, last])] : facts.moments.map((_, at) => at);
  }

  // The moment that the shown one is compared with.
  get since() { return this.stops.filter(at => at < this.at).at(-1) ?? -1; }

  go(at) {
    this.at = Math.max(0, Math.min(facts.moments.length - 1, at));
    this.watchers.forEach(watch => watch());
  }

  move(by) {
    const stops = this.stops;
    this.go(by > 0 ? stops.find(at => at > this.at) ?? this.at : stops.filter(at => at < this.at).at(-1) ?? 0);
  }

  // The drawing of the moment, with a dashed outline around each space that is not as it was.
  drawing() {
    const old = this.since < 0 ? null : new Map(this.shows[this.since].map(number => [place(this.pieces[number]), number]));
    return this.shows[this.at].map(number => {
      const piece = this.pieces[number], name = place(piece);
      if (!old || name === undefined || old.get(name) === number) return piece;
      const outline = /^<g [^>]*>(<[^>]*)\/>/.exec(piece)?.[1].replace(/ (fill|stroke|stroke-width|stroke-dasharray)="[^"]*"/g, "");
      return outline ? piece.replace(/<\/g>$/, `${outline}${MARK}</g>`) : piece;
    }).join("");
  }

  // What happened between the compared moment and this one.
  told() {
    const from = this.since < 0 ? 0 : facts.moments[this.since].height;
    return facts.story.filter(([height]) => height >= from && height < this.moment.height);
  }
}

const svgUrl = drawing => "data:image/svg+xml," + encodeURIComponent(drawing);
const momentOf = height => height <= 0 ? 0 : Math.max(0, facts.moments.findIndex(moment => moment.height > height));
const linkTo = moment => `#h=${Math.max(0, moment.height - 1)}`;

function showMap(course) {
  const [slider, play] = [$("at"), $("play")];
  $("pictures").hidden = false;
  slider.max = facts.moments.length - 1;
  slider.setAttribute("aria-label", words.titles["pictures-title"]);
  $("step").append(el("option", {value: "moments"}, words.each_change));
  if (facts.rounds.length) $("step").append(el("option", {value: "rounds"}, words.each_round));
  else $("step").hidden = true;
  $("step").setAttribute("aria-label", words.step);
  const stop = () => { clearInterval(course.timer); course.timer = 0; play.textContent = words.play; };
  const show = () => {
    const now = when(course.moment);
    if (course.shows[course.at].length) $("map").src = svgUrl(course.drawing());
    $("map").alt = `${words.map}: ${now}`;
    slider.value = course.at;
    $("when").value = now;
    slider.setAttribute("aria-valuetext", now);
    const told = course.told(), shown = told.slice(-8);
    const since = course.since < 0 ? beginning() : when(facts.moments[course.since]);
    $("since").textContent = filled(words.since, {when: since});
    $("since-told").replaceChildren(...shown.map(([height, text]) => el("li", {}, el("a", {href: `#h=${height}`}, String(height)), " ", text)));
    if (told.length > shown.length) $("since-told").prepend(el("li", {}, counted(words.more, told.length - shown.length)));
  };
  course.watchers.push(show);
  slider.oninput = () => { stop(); course.go(Number(slider.value)); };
  $("step").onchange = () => { stop(); course.go(course.at); };
  $("back").onclick = () => { stop(); course.move(-1); };
  $("next").onclick = () => { stop(); course.move(1); };
  play.onclick = () => {
    if (course.timer) return stop();
    if (course.at === facts.moments.length - 1) course.go(0);
    play.textContent = words.pause;
    course.timer = setInterval(() => { course.move(1); if (course.at === facts.moments.length - 1) stop(); }, 1200);
  };
  course.stop = stop;
  stop();
}

// Pictures ----------------------------------------------------------------------------------------------------------

const DRAWN = new Set(["b", "div", "h3", "meter", "p", "pre", "section", "span", "table", "tbody", "td", "th", "tr"]);

// What was told as markup, as elements of these kinds alone: none can be taken for a mark of the page, for one of its own
// elements, or do anything. What can be shut is open.
function drawn(node) {
  if (node.nodeName === "#text") return node.data;
  const inside = [...node.childNodes].map(drawn), name = node.localName;
  if (name === "details") return el("div", {}, ...inside);
  if (name === "summary") return el("h3", {}, ...inside);
  if (!DRAWN.has(name)) return "";
  const made = el(name, {className: [...node.classList].filter(look => look !== "from").join(" ")}, ...inside);
  for (const each of ["colspan", "max", "value", "aria-label"]) if (node.hasAttribute(each)) made.setAttribute(each, node.getAttribute(each));
  return made;
}

// The pictures of the game as all its screens show them, open where there is no map to see.
function showDrawn(course) {
  for (const [title, made, shows] of course.pictures) {
    const picture = el("div", {className: "wide", tabIndex: 0, role: "group", ariaLabel: title});
    $("drawn").append(el("details", {open: !course.mapped}, marked(el("summary", {}, title), "told"), picture));
    let now;
    course.watchers.push(() => {
      if (now === shows[course.at]) return;
      now = shows[course.at];
      picture.replaceChildren(...[...new DOMParser().parseFromString(made[now], "text/html").body.childNodes].map(drawn));
    });
  }
}

// Curves -------------------------------------------------------------------------------------------------------------

const SVG = "http://www.w3.org/2000/svg";
const draw = (name, attributes = {}, ...children) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
const [WIDE, HIGH, LEFT, TOP] = [320, 150, 26, 10];

// One number of all seats over the heights: each line has its own dashes, and its seat's letter at the end.
function curve(course, chapter, name, values) {
  const heights = facts.moments.map(moment => moment.height), last = Math.max(1, heights.at(-1));
  const numbers = values.flatMap(each => each ?? []), most = Math.max(...numbers), least = Math.min(0, ...numbers);
  const x = at => LEFT + (WIDE - LEFT - 22) * heights[at] / last;
  const y = value => TOP + (HIGH - TOP - 18) * (most - value) / Math.max(1, most - least);
  const text = (at, down, said, more = {}) => draw("text", {x: at, y: down, ...more}, said);
  const picture = draw("svg", {viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img"});
  let numbered = -Infinity;
  for (const at of course.opening) {
    if (!facts.moments[at].round) continue;
    picture.append(draw("line", {x1: x(at), x2: x(at), y1: TOP, y2: HIGH - 16, class: "grid"}));
    if (course.opening.length >= 16 && facts.moments[at].round % 5) continue;
    if (x(at) - numbered < 14) continue;  // rounds without a decision open close together
    numbered = x(at);
    picture.append(text(x(at), HIGH - 4, facts.moments[at].round, {"text-anchor": "middle"}));
  }
  for (const value of new Set([most, least])) picture.append(text(LEFT - 4, y(value) + 4, value, {"text-anchor": "end"}));
  const ends = [];
  facts.seats.forEach((_, seat) => {
    const points = values.flatMap((each, at) => each && each[seat] !== null ? [`${x(at).toFixed(1)},${y(each[seat]).toFixed(1)}`] : []);
    picture.append(draw("polyline", {points: points.join(" "), class: `line s${seat}`}));
    ends.push([y(values.at(-1)?.[seat] ?? 0), seat]);
  });
  let down = -Infinity;
  ends.sort((one, other) => one[0] - other[0] || one[1] - other[1]).forEach(([wanted, seat], above) => {
    const lowest = HIGH - 11 * (ends.length - 1 - above);  // so that those below it have room
    down = Math.max(Math.min(wanted + 4, lowest), down + 11);
    picture.append(text(WIDE - 16, down, letter(seat), {class: `end s${seat}`}));
  });
  const now = draw("line", {y1: TOP, y2: HIGH - 16, class: "now"});
  course.watchers.push(() => { now.setAttribute("x1", x(course.at)); now.setAttribute("x2", x(course.at)); });
  picture.append(now);
  picture.setAttribute("aria-label", `${chapter}, ${name}. ${spoken(course, values)}`);
  picture.onclick = event => {
    const box = picture.getBoundingClientRect(), wanted = (event.clientX - box.left) / box.width * WIDE;
    const near = heights.map((_, at) => [Math.abs(x(at) - wanted), at]).sort((one, other) => one[0] - other[0])[0];
    course.stop();
    course.go(near[1]);
  };
  return el("figure", {}, el("figcaption", {}, name), picture);
}

// A curve for who does not see it: the numbers of each round.
function spoken(course, values) {
  const stops = [...new Set([...course.opening, values.length - 1])];
  return stops.filter(at => values[at]).map(at =>
    `${when(facts.moments[at])}: ${values[at].map((value, seat) => `${nameOf(seat)} ${value}`).join(", ")}`).join("; ");
}

function showCurves(course) {
  $("growth").hidden = !course.curves.length;
  $("key").replaceChildren(...facts.seats.map((_, seat) => el("span", {}, dashes(seat), seated(seat))));
  const chapters = Map.groupBy ? Map.groupBy(course.curves, ([chapter]) => chapter) : grouped(course.curves);
  for (const [chapter, curves] of chapters) {
    $("curves").append(el("h3", {}, chapter), el("div", {className: "grid"}, ...curves.map(([, name, values]) => curve(course, chapter, name, values))));
  }
}

const dashes = seat => draw("svg", {viewBox: "0 0 40 10", class: "dashes", "aria-hidden": "true"}, draw("polyline", {points: "0,5 40,5", class: `line s${seat}`}));

function grouped(curves) {
  const groups = new Map();
  for (const curve of curves) groups.set(curve[0], [...groups.get(curve[0]) ?? [], curve]);
  return groups;
}
