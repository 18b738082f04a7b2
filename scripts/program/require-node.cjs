'use strict';

// This file must also run in the versions of Node.js that it rejects.
const parts = process.version.replace('v', '').split('.').map(Number);
if (parts[0] < 20 || (parts[0] === 20 && parts[1] < 19)) {
  console.error(
    'This program needs Node.js 20.19 or later, but runs in ' + process.version + '. See https://nodejs.org/en/download',
  );
  process.exit(1);
}
