// What a program in the sandbox's Deno tries; run by test_wasm.py.
const [port, secret, target] = Deno.args;
const ways = {
  "a file": () => Deno.readTextFileSync(secret),
  "a file, by node:fs": async () => (await import("node:fs")).readFileSync(secret),
  "a file as a module": () => import("file://" + secret),
  "a file as a worker": () => new Promise((done, fail) => {
    const worker = new Worker("file://" + secret, { type: "module" });
    worker.onerror = (event) => { event.preventDefault(); fail(new Error(event.message)); };
    setTimeout(done, 2000);
  }),
  "a folder": () => [...Deno.readDirSync("/")],
  "writing": () => Deno.writeTextFileSync(target, "x"),
  "writing, by node:fs": async () => (await import("node:fs")).writeFileSync(target, "x"),
  "writing into its own folder": () => Deno.writeTextFileSync(new URL("x", import.meta.url), "x"),
  "a variable": () => Deno.env.get("SMOLCELL_TOKEN") ?? Deno.env.toObject(),
  "a variable, by node:process": async () => { if (!(await import("node:process")).env.SMOLCELL_TOKEN) throw new Error("none"); },
  "a program": () => new Deno.Command("/bin/true").outputSync(),
  "a program, by node:child_process": async () => { (await import("node:child_process")).execFileSync("/bin/true"); },
  "a signal": () => Deno.kill(Deno.ppid, "SIGCONT"),
  "a connection": () => Deno.connect({ port: Number(port) }),
  "a request": () => fetch(`http://127.0.0.1:${port}/`),
  "a connection, by node:net": async () => {
    const { connect } = await import("node:net");
    await new Promise((done, fail) => connect(Number(port), "127.0.0.1").on("connect", done).on("error", fail));
  },
  "a module from the network": () => import(`http://127.0.0.1:${port}/x.js`),
  "a package": () => import("npm:is-number@7.0.0"),
  "a service": () => Deno.listen({ port: 0 }),
  "a C library": () => Deno.dlopen("libc.so.6", {}),
  "facts of the system": () => Deno.hostname(),
};
const reached = [];
for (const [name, way] of Object.entries(ways)) {
  try {
    await way();
    reached.push(name);
  } catch { /* refused */ }
}
console.log(JSON.stringify({ tried: Object.keys(ways).length, reached }));
Deno.exit(0);
