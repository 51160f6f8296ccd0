// SPDX-License-Identifier: GPL-3.0-or-later
// What may stand at a height: the kinds of its entries, their stages, and how much of a feed is read (PROTOCOL.md, 4 and 6).
"use strict";

const STAGE = {commit: 1, keys: 1, answer: 1, seal: 1, shuffle: 2, remask: 3, tag: 4, ok: 5, complaint: 5, open: 6, share: 7, reveal: 8, partial: 9};
const BATCH = 256;
const isSeated = ({kind}) => kind === "answer" || kind === "seal";
const RESTING = new Set(["shuffle", "remask", "tag", "share"]);
// All that excuses an entry of a height that came to nothing, and the log alone shows it: what it rests on is not here,
// or its turn has not come. What was asked there is a hint that no head binds, and excuses nothing.
const UNPROVEN = /^log\/gap$|^entry\/other-basis$|turn$/;
const BEFORE = ["commit", "keys", "ok", "complaint"], ANEW = ["shuffle", "remask", "tag", "share"];
const ROLL = ["open", "partial"], READ = ["remask", "share"];
const ENTRIES = {
  prepare: ["commit"], keys: ["keys", "ok", "complaint"], anew: ANEW, choose: ["answer"], together: ["answer"], seal: ["seal"],
  roll: ROLL, shuffle: ["shuffle"], deal: READ, show: READ, reveal: ["share", "reveal", "partial"],
};
// Heights of which the hint has to say what they were about.
const ABOUT = ["seal", "shuffle", "deal", "show", "reveal"];

// The kinds of entries at a height of this kind, or at one that came to nothing where this was asked, if it was said.
// undealt: whether a deck has to be dealt anew before cards are asked for.
function fitting(kind, asked, sealed, undealt) {
  const wanted = kind in ENTRIES ? kind : asked?.kind;
  if (wanted === undefined) return [...BEFORE, "answer", ...(undealt ? ANEW : [])];
  const own = wanted === "shuffle" && !sealed ? ROLL : ENTRIES[wanted] ?? [];
  return kind in ENTRIES ? own : [...BEFORE, ...own.filter(each => !undealt || !ANEW.includes(each))];
}

// What a feed may hold: words of chat; others, and how many more for each height that its author has come to.
const [CHATS, WORDS, A_HEIGHT] = [2000, 2000, 16];

// A feed up to where it ends: before a word of chat, or another word, that is too much.
function readable(feed) {
  let chats = 0, reached = 0;
  const end = feed.findIndex((entry, at) => {
    if (entry.kind in STAGE) reached = Math.max(reached, entry.height);
    if (entry.kind === "chat") return ++chats > CHATS;
    return at - chats >= WORDS + A_HEIGHT * (reached + 1);
  });
  return end < 0 ? feed : feed.slice(0, end);
}

