/**
 * A call has the request as it is shown, `send` to make it, and `render` to turn its result into the text a person reads.
 * `render` throws if the result is not the expected one.
 */

/** Returns a call of a tool that must succeed. */
export function tool(name, args) {
  return { ...callOf(name, args), render: (result) => (result.isError ? fail(textOf(result)) : textOf(result)) };
}

/** Returns a call of a tool that must fail with the given code. */
export function refusedTool(name, args, code) {
  return {
    ...callOf(name, args),
    render: (result) =>
      result.isError && result._meta?.error?.code === code ? textOf(result) : fail(`no ${code}: ${textOf(result)}`),
  };
}

/** Returns a call of a tool that is repeated until the answer matches `wanted`, for at most 2 seconds. */
export function settledTool(name, args, wanted) {
  return {
    ...tool(name, args),
    send: async (client) => {
      const deadline = performance.now() + 2000;
      for (;;) {
        const result = await client.callTool({ name, arguments: args });
        if (result.isError || wanted.test(textOf(result))) return result;
        if (performance.now() > deadline) fail(`not settled: ${textOf(result)}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
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
  return { request: `resources/read ${uri}`, send: (client) => client.readResource({ uri }), render: contentsText };
}

/** Returns a call that reads the first listed resource whose URI has the given ending. */
export function listedResource(ending) {
  return {
    request: `resources/list, resources/read …${ending}`,
    send: async (client) => {
      const { resources } = await client.listResources();
      const { uri } = resources.find((each) => each.uri.endsWith(ending)) ?? fail(`no ${ending} is listed`);
      return client.readResource({ uri });
    },
    render: contentsText,
  };
}

/** Returns a call that subscribes to a resource, changes the resource, and waits for the update. */
export function update(uri, change) {
  return {
    request: `subscriptions/listen ${uri}`,
    send: async (client) => {
      const updated = new Promise((resolve) => {
        client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri));
      });
      const stream = await client.listen({ resourceSubscriptions: [uri] });
      const changed = performance.now();
      change();
      const seen = await withinSeconds(10, updated);
      await stream.close();
      return { seen, milliseconds: performance.now() - changed };
    },
    render: ({ seen, milliseconds }) => `notifications/resources/updated, ${milliseconds.toFixed(0)} ms after the edit:\n${seen}`,
  };
}

/** Returns a call that performs an action which adds a tool, waits for the notification, and calls the tool. */
export function newTool(name, args, change) {
  return {
    request: `subscriptions/listen, tools/list, ${shown(name, args)}`,
    send: async (client) => {
      const changed = new Promise((resolve) => client.setNotificationHandler('notifications/tools/list_changed', resolve));
      const stream = await client.listen({ toolsListChanged: true });
      change();
      await withinSeconds(10, changed);
      await stream.close();
      const { tools } = await client.listTools();
      const { description } = tools.find((each) => each.name === name) ?? fail(`no ${name} is listed`);
      return { description, result: await client.callTool({ name, arguments: args }) };
    },
    render: ({ description, result }) => {
      if (result.isError) fail(textOf(result));
      return `notifications/tools/list_changed: ${name}, ${description}\n${textOf(result)}`;
    },
  };
}

/** Returns a call that completes the variables of a resource template in order, each with the values of the earlier variables. */
export function completions(uri, typed) {
  const ref = { type: 'ref/resource', uri };
  return {
    request: `completion/complete ${uri}`,
    send: async (client) => {
      const given = {};
      for (const [name, value] of Object.entries(typed)) {
        const { completion } = await client.complete({ ref, argument: { name, value }, context: { arguments: { ...given } } });
        given[name] = completion.values[0] ?? fail(`nothing was offered for ${name}`);
      }
      return given;
    },
    render: (given) =>
      Object.entries(given)
        .map(([name, value]) => `${name}: "${typed[name]}" → ${value}`)
        .join('\n'),
  };
}

/** Returns a call of a tool that takes long. Its progress notifications are shown as bars instead of the answer. */
export function progressTool(name, args) {
  const bars = [];
  const onprogress = ({ progress, total, message }) => bars.push(total === undefined ? message : bar(progress / total, message));
  return {
    request: shown(name, args),
    send: (client) => client.callTool({ name, arguments: args }, { onprogress }),
    render: (result) => (result.isError ? fail(textOf(result)) : spread(bars, 5).join('\n')),
  };
}

/** Returns a call of a tool that is cancelled after half a second, and that gets no answer. */
export function cancelledTool(name, args) {
  return {
    request: shown(name, args),
    send: async (client) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort('not needed any more'), 500);
      return client.callTool({ name, arguments: args }, { signal: controller.signal }).catch((error) => error);
    },
    render: (outcome) =>
      outcome instanceof Error ? `cancelled after half a second: ${outcome.message}` : fail('it was not cancelled'),
  };
}

function bar(part, message) {
  const width = 20;
  const filled = Math.round(Math.min(1, part) * width);
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ${message}`;
}

/** Returns at most this number of items, from the first to the last. */
function spread(items, count) {
  if (items.length <= count) return items;
  return Array.from({ length: count }, (_, index) => items[Math.round((index * (items.length - 1)) / (count - 1))]);
}

async function withinSeconds(seconds, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came within ${seconds} s`)), seconds * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
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

function contentsText({ contents }) {
  return contents.map(({ uri, mimeType, text }) => `${uri}, ${mimeType}:\n${text}`).join('\n');
}

function blockText({ type, text, resource: embedded }) {
  if (type === 'text') return text;
  return type === 'resource' ? `[${embedded.uri}]\n${embedded.text}` : `[${type}]`;
}

function fail(message) {
  throw new Error(message);
}
