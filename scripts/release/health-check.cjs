'use strict';

// Runs in the images. Over HTTP, the server answers at port 3000. Over stdio, nothing listens, so a refused connection counts as
// healthy: the container ends with the server's process.
const PORT = 3000;

fetch(`http://127.0.0.1:${PORT}/healthz`).then(
  ({ ok }) => process.exit(ok ? 0 : 1),
  (error) => process.exit(error.cause?.code === 'ECONNREFUSED' ? 0 : 1),
);
