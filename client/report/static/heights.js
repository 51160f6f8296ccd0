// SPDX-License-Identifier: GPL-3.0-or-later
// What may stand at a height: the kinds of its entries, their stages, and how much of a feed is read (PROTOCOL.md, 4 and 6).
"use strict";

const STAGE = {commit: 1, keys: 1, answer: 1, seal: 1, shuffle: 2, remask: 3, tag: 4, ok: 5, complaint: 5, open: 6, share: 7, reveal: 8, partial: 9};
const BATCH = 256;
const isSeated = ({kind}) => kind === "answer" || kind === "seal";
const RESTING = new Set(["shuffle", "remask", "tag", "share"]);
// All that excuses an entry of a height that came to nothing, and the log alone shows it: what it rests on is not here,
// or its turn has not come.
const WAITS = /turn$/, UNPROVEN = /^log\/gap$|^entry\/other-basis$|turn$/;
const ANEW = ["shuffle", "remask", "tag", "share"], ROLL = ["open", "partial"], READ = ["remask", "share"];
const ENTRIES = {
  prepare: ["commit"], keys: ["keys", "ok", "complaint"], anew: ANEW, choose: ["answer"], together: ["answer"], seal: ["seal"],
  roll: ROLL, shuffle: ["shuffle"],
};
// The kinds of entries at a height that asked this; cards: whether there are any under its handles.
function fitting(kind, sealed, cards) {
  const read = sealed && cards ? READ : [];
  if (kind === "shuffle" && !sealed) return ROLL;
  return kind === "deal" || kind === "show" ? (sealed ? READ : []) : kind === "reveal" ? ["reveal", "partial", ...read] : ENTRIES[kind] ?? [];
}

// What waits for others of its height waits for ever if its own author says one of these only behind it.
function checkTurn(entry, others) {
  if (others.some(({by, seq}) => by === entry.by && seq > entry.seq)) throw wrong("entry/not-your-turn", entry);
}

// What a feed may hold: entries of chat, and bytes of all others. It ends behind a leave too.
const [MAX_CHATS, MAX_FEED] = [2000, 16000000];

const copyOf = value => value instanceof Map || value instanceof Set ? new value.constructor(value) : value?.constructor === Object ? {...value} : value;
