import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/**
 * Starts `node ARGUMENTS` as a server, connects the official client to the server while `work` runs, and closes the connection.
 * Rejects if the process has not ended afterwards.
 */
export async function withServer(args, work) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args, '--log-level', 'warning'],
    stderr: 'inherit',
  });
  const client = new Client({ name: 'npm-start', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  try {
    await client.connect(transport);
  } catch (error) {
    await client.close();
    throw error;
  }
  const { pid } = transport;
  try {
    await work(client);
  } finally {
    await client.close();
  }
  if (isAlive(pid)) throw new Error(`the server, process ${pid}, has not ended`);
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
