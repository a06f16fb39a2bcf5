// What a program tries whose Deno refuses nothing; run by test_wasm.py.
const [secret, target] = Deno.args;
const reached = [];
for (const way of [() => Deno.readTextFileSync(secret), () => Deno.writeTextFileSync(target, "x"), () => [...Deno.readDirSync("/")]]) {
  try { way(); reached.push(String(way)); } catch { /* refused */ }
}
console.log(JSON.stringify(reached));
