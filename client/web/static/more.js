// The style of what is no table at rest: forms, sheets, battles, the lobby, the start page, the end.
const link = Object.assign(document.createElement("link"), {rel: "stylesheet", href: "more.css"});
await new Promise(done => { link.onload = link.onerror = done; document.head.append(link); });
