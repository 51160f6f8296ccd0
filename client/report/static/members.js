// SPDX-License-Identifier: GPL-3.0-or-later
// Who plays: the genesis of a table and the records of its members, read strictly (PROTOCOL.md, 5).
"use strict";

const MEMBERS = 9;
const NAME = 96;
const DEVICE = 48;

// The problem of an entry.
const wrong = (code, entry, detail = "") => Object.assign(
  new Problem(code, `entry ${entry.number}`, detail, entry.number), {kind: entry.kind, seq: entry.seq, height: entry.height});

// The records of the members in a genesis of due form.
function readGenesis(entry) {
  const body = entry.body, is = (name, test) => test(body.get(name));
  if (!(body instanceof Map) || body.get("protocol") !== 1) throw wrong("genesis/protocol", entry);
  const text = value => typeof value === "string", records = body.get("members");
  const shaped = body.size === 8 && is("game", text) && is("rules", text) && is("options", value => value instanceof Map) && is("content", value => isBytes(value)) &&
    Array.isArray(records) && is("test", value => typeof value === "boolean") && is("position", value => value === null || isBytes(value));
  if (!shaped) throw wrong("genesis/shape", entry);
  if (records.length < 1 || records.length > MEMBERS) throw wrong("genesis/members", entry);
  return records;
}

function checkRoster(members, entry) {
  if (new Set(members.map(member => member.by)).size !== members.length) throw wrong("genesis/key-twice", entry);
  if (new Set(members.map(member => hex(member.lobby))).size !== 1) throw wrong("genesis/lobby", entry);
  const seats = members.flatMap(member => member.seats).sort((one, other) => one - other);
  if (seats.some((seat, at) => seat !== at) || !members.every(member => member.seats.length)) throw wrong("genesis/seats", entry);
}

// A member's record: its table key under the name of a person who signed for it, its seats.
async function readMember(record, entry) {
  const [certificate, name, seats, nonce] = items(record, 4);
  if (typeof name !== "string" || !Array.isArray(seats) || !isBytes(nonce, 32) || utf8.encode(name).length > NAME) throw wrong("genesis/member", entry);
  if (!seats.every((seat, at) => isCount(seat) && (at === 0 || seats[at - 1] < seat))) throw wrong("genesis/member", entry);
  const [identity, key, lobby, device, signature] = items(certificate, 5);
  const formed = isBytes(identity) && isBytes(key, 32) && isBytes(lobby) && lobby.length <= 32 && typeof device === "string" && isBytes(signature, 64);
  if (!formed || utf8.encode(device).length > DEVICE || !strictPoint(key)) throw wrong("certificate/form", entry);
  if (!isBytes(identity, 32) || !await verify(identity, signature, H("table-key", identity, key, lobby, device))) throw wrong("certificate/signature", entry);
  return {by: hex(key), lobby, seats};
}
