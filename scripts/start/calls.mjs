/**
 * A call has the request as it is shown, `send` to make it, and `render` to turn its result into the text a person reads.
 * `render` throws if the result is not the expected one.
 */

/** A tool that has to succeed. */
export function tool(name, args) {
  return { ...callOf(name, args), render: (result) => (result.isError ? fail(textOf(result)) : textOf(result)) };
}

/** A tool that has to be refused with the given code. */
export function refusedTool(name, args, code) {
  return {
    ...callOf(name, args),
    render: (result) =>
      result.isError && result._meta?.error?.code === code ? textOf(result) : fail(`no ${code}: ${textOf(result)}`),
  };
}

export function prompt(name, args) {
  return {
    request: shown(name, args),
    send: (client) => client.getPrompt({ name, arguments: args }),
    render: ({ messages }) => messages.map(({ role, content }) => `${role}: ${blockText(content)}`).join('\n'),
  };
}

export function resource(uri) {
  return {
    request: `resources/read ${uri}`,
    send: (client) => client.readResource({ uri }),
    render: ({ contents }) => contents.map(({ mimeType, text }) => `${mimeType}:\n${text}`).join('\n'),
  };
}

function callOf(name, args) {
  return { request: shown(name, args), send: (client) => client.callTool({ name, arguments: args }) };
}

function shown(name, args) {
  const given = Object.entries(args).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `${name}(${given.join(', ')})`;
}

function textOf({ content }) {
  return content.map(blockText).join('\n');
}

function blockText({ type, text, resource: embedded }) {
  if (type === 'text') return text;
  return type === 'resource' ? `[${embedded.uri}]\n${embedded.text}` : `[${type}]`;
}

function fail(message) {
  throw new Error(message);
}
