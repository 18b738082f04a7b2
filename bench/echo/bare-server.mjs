/** The minimal server: Node.js, and one answer to the first line. */
process.stdin.once('data', (line) => {
  const { id } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: {} })}\n`);
});
