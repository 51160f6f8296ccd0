// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the parts of the page in the place of all that the file holds, when all of it is read: no attribute stays, and no
// element that could be taken for one of these.
"use strict";

function opened() {
  const {title} = document;
  for (const name of root.getAttributeNames()) root.removeAttribute(name);
  root.replaceChildren(el("head", {innerHTML: head}), el("body", {innerHTML: body}));
  Object.assign(root, {lang: language});
  document.title = title;
  return showPage();
}

document.readyState === "loading" ? addEventListener("DOMContentLoaded", opened) : opened();
