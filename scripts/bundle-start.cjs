'use strict';

const { createHash } = require('node:crypto');
const { closeSync, fstatSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { createRequire, wrap } = require('node:module');
const path = require('node:path');
const { cachedDataVersionTag, setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

/** After this time a client has sent its first requests, and V8 has compiled the functions that serve them. */
const STARTED_AFTER_MS = 5000;
/**
 * Multiples of the CPU time of the start. After a few tool calls, V8 has compiled the functions that calls use; after about a hundred, it also
 * knows which functions are hot. With that code the first 25 calls of the next process take a quarter less time.
 */
const USED_AFTER = 3;
const WELL_USED_AFTER = 6;

/** V8's compiled code depends on its version, its flags and the CPU. */
const TAG = cachedDataVersionTag();
/** The SQL parser sets this flag; the flags below it restore the defaults, including those that the flag implies. */
const FLAG_OF_PARSER = '--liftoff-only';
const FLAGS_WITHOUT = ['--no-liftoff-only', '--wasm-tier-up', '--wasm-dynamic-tiering'];

/** Two Node.js programs of one version may be different builds. */
const PROGRAM = [process.version, process.arch, TAG, programFile()].join(' ');
const DIGEST_BYTES = 32;

/** Length of the stage, which stands between the digest and the code in a cache file. */
const STAGE_BYTES = 1;
/** Stage of a process that ended soon, for example one that printed its version. */
const ENDED_EARLY = 0;
const STARTED = 1;
const USED = 2;
/** The last stage: the cache is complete. */
const WELL_USED = 3;

const modules = new Map();
/** Scripts without a complete cache file. */
const unkept = new Set();
let timer;
let startTime = Number.POSITIVE_INFINITY;

process.once('exit', () => underTag(keepAtEnd));
load(path.join(__dirname, 'bin.js'));
startTime = processorTime();

/**
 * Runs a file of the bundle like a CommonJS module, but compiles it only once, because compiling is a third of the start. The cache file is
 * next to the program, where anyone who may write could change the program itself. Without permission to write, there is no cache.
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

/** Reads or creates cached code under the flags of the start, because V8 rejects code that was compiled under other flags. */
function underTag(work) {
  if (cachedDataVersionTag() === TAG) return work();
  for (const flag of FLAGS_WITHOUT) setFlagsFromString(flag);
  try {
    return work();
  } finally {
    setFlagsFromString(FLAG_OF_PARSER);
  }
}

/** Returns the cached code of a script, or `undefined` if the cache file is missing or damaged. V8 does not check the code and would crash. */
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

/** Reads a file that only this user, root or the owner of the program can have written. Throws for any other file. */
function readTrusted(file, owner) {
  const descriptor = openSync(file);
  try {
    const { uid, mode } = fstatSync(descriptor);
    const user = process.getuid?.();
    if (user !== undefined && (![user, owner, 0].includes(uid) || (mode & 0o022) !== 0))
      throw new Error('another user can write the file');
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

/** Replaces the file atomically, because another process may read it. */
function write(file, content) {
  const unfinished = `${file}.${process.pid}`;
  try {
    writeFileSync(unfinished, content, { flag: 'wx', mode: 0o644 });
    renameSync(unfinished, file);
    return true;
  } catch {
    // The directory is read-only or the disk is full: the next start takes as long as this one.
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
