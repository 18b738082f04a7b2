/** No metadata document or key set is nearly as large; a typical one has a few KiB. */
const MAX_BYTES = 1_048_576;

/**
 * The JSON at a URL, at most 1 MiB of it; redirects are not followed.
 *
 * @throws Error whose message says what is wrong with the answer, without any of its content
 */
export async function fetchJson(url: URL, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal, redirect: 'manual', headers: { accept: 'application/json' } }).catch(unreachable);
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(response.headers.has('location') ? 'answers with a redirect' : `answers with status ${response.status}`);
  }
  const text = await readText(response).catch(unreachable);
  if (text === undefined) throw new Error(`answers with more than ${MAX_BYTES} bytes`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('answers with something else than JSON');
  }
}

async function readText({ body }: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function unreachable(error: unknown): never {
  if (error instanceof Error && error.name === 'TimeoutError') throw new Error('does not answer in time', { cause: error });
  const code = codeOf(error instanceof Error ? error.cause : undefined);
  throw new Error(code === undefined ? 'cannot be reached' : `cannot be reached (${code})`, { cause: error });
}

function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}
