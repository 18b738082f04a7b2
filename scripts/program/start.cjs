'use strict';

// Precedes every other import, because an old version of Node.js cannot load the program.
require('./require-node.cjs');

const { mkdirSync, statSync } = require('node:fs');
const module_ = require('node:module');
const path = require('node:path');
const { isatty } = require('node:tty');

/** After this time a client has sent its first requests, and V8 has compiled the functions that serve them. */
const STARTED_AFTER_MS = 5000;

const CACHE = path.join(__dirname, 'compile-cache');
/** Only the owner may write, because the cache decides which code runs. */
const MODE = 0o755;
const WRITABLE_BY_OTHERS = 0o022;

// Node.js stores the functions that the first process has compiled. The cache is not used in a terminal, because a command there
// does not compile the functions of a server.
if (module_.enableCompileCache !== undefined && !isatty(0) && prepareCache()) {
  const umask = process.umask(WRITABLE_BY_OTHERS);
  module_.enableCompileCache(CACHE);
  process.umask(umask);
  // Node.js writes the cache when the process exits, but a host may kill its servers.
  setTimeout(() => module_.flushCompileCache?.(), STARTED_AFTER_MS).unref();
}
require(path.join(__dirname, 'bin.js'));

/**
 * Creates the directory of the cache, if necessary. Returns whether only this user, root and the owner of the program can write
 * to it; always true on Windows.
 */
function prepareCache() {
  try {
    mkdirSync(CACHE, { recursive: true, mode: MODE });
    const { uid, mode } = statSync(CACHE);
    const user = process.getuid?.();
    return user === undefined || ([user, 0, statSync(__filename).uid].includes(uid) && (mode & WRITABLE_BY_OTHERS) === 0);
  } catch {
    // If the directory of the program is read-only, every start compiles the program.
    return false;
  }
}
