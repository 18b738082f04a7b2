'use strict';

const { createHash } = require('node:crypto');
const { closeSync, fstatSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { createRequire, wrap } = require('node:module');
const path = require('node:path');
const { cachedDataVersionTag, setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

/** Long enough for a client to have asked for what it begins with, whose functions are compiled by then. */
const STARTED_AFTER_MS = 5000;
/**
 * In times of the processor time of its start. After a few calls of tools what they take is compiled; after a hundred or so V8 knows,
 * and keeps, which functions are often called, and makes better code of these at once: the first 25 calls take a quarter less time.
 */
const USED_AFTER = 3;
const WELL_USED_AFTER = 6;

/** What V8 makes of a script depends on its version, its flags and the processor. */
const TAG = cachedDataVersionTag();
/** A flag that the parser of SQL sets; and how V8 is brought back to its own, with what that one implies. */
const FLAG_OF_PARSER = '--liftoff-only';
const FLAGS_WITHOUT = ['--no-liftoff-only', '--wasm-tier-up', '--wasm-dynamic-tiering'];

/** Two programs of one version may have been built differently. */
const PROGRAM = [process.version, process.arch, TAG, programFile()].join(' ');
const DIGEST_BYTES = 32;

/** What follows the digest in a file of kept code, before the code: how far the process had come. */
const STAGE_BYTES = 1;
/** As one comes that prints its version; the next one will know more. */
const ENDED_EARLY = 0;
const STARTED = 1;
const USED = 2;
/** No more is kept. */
const WELL_USED = 3;

const modules = new Map();
/** Scripts of which nothing is kept, or not all that is needed, with where that is to be kept. */
const unkept = new Set();
let timer;
let startTime = Number.POSITIVE_INFINITY;

process.once('exit', () => underTag(keepAtEnd));
load(path.join(__dirname, 'bin.js'));
startTime = processorTime();

/**
 * Runs a file of the bundle as Node does a CommonJS module, but compiles it, which is a third of a start, only once: what V8 made of it
 * is kept beside it, where whoever may write may as well change the program; where this process may not, nothing is kept.
 */
function load(file) {
  const known = modules.get(file);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  modules.set(file, module);
  try {
    const outside = createRequire(file);
    const inside = (id) => (id.startsWith('./') ? load(path.join(__dirname, id)) : outside(id));
    compile(file).call(module.exports, module.exports, Object.assign(inside, outside), module, file, __dirname);
  } catch (error) {
    modules.delete(file);
    throw error;
  }
  return module.exports;
}

function compile(file) {
  const source = readFileSync(file);
  const kept = read(file, source);
  const script = underTag(() => new Script(wrap(source.toString()), { filename: file, cachedData: kept?.code }));
  const isUsable = script.cachedDataRejected === false;
  const stage = isUsable ? kept.stage : ENDED_EARLY;
  if (stage < WELL_USED) {
    unkept.add({ script, file, source, stage, bytes: isUsable ? kept.code.length : 0 });
    timer ??= setInterval(() => underTag(keepNow), STARTED_AFTER_MS).unref();
  }
  return script.runInThisContext();
}

/** Reads or makes kept code under the flags of the start: V8 takes none that was made under others. */
function underTag(work) {
  if (cachedDataVersionTag() === TAG) return work();
  for (const flag of FLAGS_WITHOUT) setFlagsFromString(flag);
  try {
    return work();
  } finally {
    setFlagsFromString(FLAG_OF_PARSER);
  }
}

/** What was kept of a script for this program; nothing if the file is not there, or not whole: V8 does not look, and would crash. */
function read(file, source) {
  try {
    const content = readTrusted(keptBeside(file), statSync(file).uid);
    const kept = content.subarray(DIGEST_BYTES);
    if (!content.subarray(0, DIGEST_BYTES).equals(digestOf(source, [kept]))) return undefined;
    return { stage: kept[0], code: kept.subarray(STAGE_BYTES) };
  } catch {
    return undefined;
  }
}

/** A file that nobody could have written but this user, root, and the owner of the program. Throws for any other. */
function readTrusted(file, owner) {
  const descriptor = openSync(file);
  try {
    const { uid, mode } = fstatSync(descriptor);
    const user = process.getuid?.();
    if (user !== undefined && (![user, owner, 0].includes(uid) || (mode & 0o022) !== 0)) throw new Error('others can write it');
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function keepNow() {
  const stage = Math.max(STARTED, stageNow());
  for (const known of unkept) if (known.stage < stage) keep(known, stage, known.script.createCachedData());
  if (unkept.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

function keepAtEnd() {
  const stage = stageNow();
  for (const known of unkept) {
    const isFurther = stage > known.stage;
    if (!isFurther && known.stage > ENDED_EARLY) continue;
    const code = known.script.createCachedData();
    if (isFurther || code.length > known.bytes) keep(known, stage, code);
  }
}

function stageNow() {
  const starts = processorTime() / startTime;
  if (starts > WELL_USED_AFTER) return WELL_USED;
  return starts > USED_AFTER ? USED : ENDED_EARLY;
}

function processorTime() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function keep(known, stage, code) {
  const kept = [Buffer.of(stage), code];
  known.stage = stage;
  const isKept = write(keptBeside(known.file), Buffer.concat([digestOf(known.source, kept), ...kept]));
  if (stage === WELL_USED || !isKept) unkept.delete(known);
}

/** All at once, because another process may read it. */
function write(file, content) {
  const unfinished = `${file}.${process.pid}`;
  try {
    writeFileSync(unfinished, content, { flag: 'wx', mode: 0o644 });
    renameSync(unfinished, file);
    return true;
  } catch {
    // A directory that is not writable, a full disk: the next start takes as long as this one.
    rmSync(unfinished, { force: true });
    return false;
  }
}

function keptBeside(file) {
  return `${file}.compiled`;
}

function digestOf(source, parts) {
  const hash = createHash('sha256').update(`${PROGRAM} ${source.length} `).update(source);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function programFile() {
  const { size, mtimeMs } = statSync(process.execPath);
  return `${size} ${mtimeMs}`;
}
