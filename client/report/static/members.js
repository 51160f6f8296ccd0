// SPDX-License-Identifier: GPL-3.0-or-later
// Who plays: the genesis of a table and the records of its members, read strictly (PROTOCOL.md, 5).
"use strict";

const MEMBERS = 9;
const SEATS = 16;
const NAME = 96;
const LEVEL = 32;
const DEVICE = 48;

// The problem of an entry.
const wrong = (code, entry, detail = "") => Object.assign(
  new Problem(code, `entry ${entry.number}`, detail, entry.number), {kind: entry.kind, seq: entry.seq, height: entry.height});

// The records of the members in a genesis of due form.
function readGenesis(entry) {
  const body = entry.body, is = (name, test) => test(body.get(name));
  if (!(body instanceof Map) || body.get("protocol") !== 1) throw wrong("genesis/protocol", entry);
  const text = value => typeof value === "string", records = body.get("members");
  const shaped = body.size === 8 + body.has("origin") && is("game", text) && is("rules", text) && is("options", value => value instanceof Map) && is("content", value => isBytes(value)) &&
    Array.isArray(records) && is("test", value => typeof value === "boolean") && is("position", value => value === null || isBytes(value));
  if (!shaped) throw wrong("genesis/shape", entry);
  if (records.length < 1 || records.length > MEMBERS) throw wrong("genesis/members", entry);
  if (body.has("origin")) checkOrigin(body, entry);
  return records;
}

// The table from which one member goes on alone: its id, height and head, what the new table begins with, and its cards.
function checkOrigin(body, entry) {
  const origin = body.get("origin"), isHandle = (deck, index) => typeof deck === "string" && isCount(index);
  const shaped = Array.isArray(origin) && origin.length === 6 && isBytes(origin[0], 32) && isCount(origin[1]) && isBytes(origin[2], 32) && isBytes(origin[3]) &&
    Array.isArray(origin[4]) && Array.isArray(origin[5]) && body.get("members").length === 1 && body.get("position") !== null && body.get("options").get("draws") !== "sealed";
  const cards = shaped && origin[4].every(card => Array.isArray(card) && card.length === 3 && isHandle(card[0], card[1]));
  const seen = cards && origin[5].every(look => Array.isArray(look) && look.length === 3 && isCount(look[0]) && look[0] < SEATS && isHandle(look[1], look[2]));
  const laid = seen && new Set(origin[4].map(([deck, index]) => `${deck} ${index}`));
  if (!seen || laid.size !== origin[4].length || !origin[5].every(([, deck, index]) => laid.has(`${deck} ${index}`))) throw wrong("genesis/origin", entry);
}

function checkRoster(members, entry) {
  const keys = ["by", "identity"].map(name => new Set(members.map(member => member[name])).size);
  if (Math.min(...keys) !== members.length) throw wrong("genesis/key-twice", entry);
  if (new Set(members.map(member => hex(member.lobby))).size !== 1) throw wrong("genesis/lobby", entry);
  const seats = members.flatMap(member => member.seats).sort((one, other) => one - other);
  if (seats.some((seat, at) => seat !== at) || !members.every(member => member.seats.length)) throw wrong("genesis/seats", entry);
}

// A member's record: its table key under an identity that signed for it, and who sits in its seats.
async function readMember(record, entry) {
  const [certificate, rows, nonce] = items(record, 3);
  if (!Array.isArray(rows) || !isBytes(nonce, 32)) throw wrong("genesis/member", entry);
  const short = (text, most) => typeof text === "string" && text !== "" && utf8.encode(text).length <= most, seats = [];
  for (const row of rows) {
    const [seat, name, level] = Array.isArray(row) ? items(row, 3) : [];
    const due = isCount(seat) && seat < SEATS && !(seat <= seats.at(-1)) && short(name, NAME) && (level === null || short(level, LEVEL));
    if (!due) throw wrong("genesis/member", entry);
    seats.push(seat);
  }
  return {...await readCertificate(certificate, entry), seats, rows};
}

// A table key under an identity that signed for it.
async function readCertificate(certificate, entry) {
  const [identity, key, lobby, device, signature] = items(certificate, 5);
  const formed = isBytes(identity) && isBytes(key, 32) && isBytes(lobby) && lobby.length <= 32 && typeof device === "string" && isBytes(signature, 64);
  if (!formed || utf8.encode(device).length > DEVICE || !strictPoint(key)) throw wrong("certificate/form", entry);
  if (!isBytes(identity, 32) || !await verify(identity, signature, H("table-key", identity, key, lobby, device))) throw wrong("certificate/signature", entry);
  return {by: hex(key), identity: hex(identity), lobby};
}
