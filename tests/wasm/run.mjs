// Runs the wasm module given as argument under node, and prints the number.
import { readFile } from "node:fs/promises";

const module = await WebAssembly.compile(await readFile(process.argv[2]));
// The clock is the only thing the module asks for; its answer changes no result.
const imports = {};
for (const { module: from, name } of WebAssembly.Module.imports(module)) {
  (imports[from] ??= {})[name] = () => 0;
}
const { exports } = await WebAssembly.instantiate(module, imports);
const number = BigInt.asUintN(64, exports.fingerprint());
console.log("0x" + number.toString(16).padStart(16, "0"));
