import { exchange, fact, title } from './display.mjs';

/** Prints the name and version of the client's server, the tools and the resource templates. */
export async function introduce(client) {
  const { name, version, title: product } = client.getServerVersion();
  const { tools } = await client.listTools();
  const { resourceTemplates } = await client.listResourceTemplates();
  console.log(title(`${product}: ${name} ${version}, protocol ${client.getNegotiatedProtocolVersion()} over stdio`));
  console.log(fact(`${tools.length} tools`, names(tools)));
  console.log(`${fact('resources', resourceTemplates.map(({ uriTemplate }) => uriTemplate).join(', '))}\n`);
}

/** Makes the calls one after the other, and prints them. Rejects at the first call that does not return the expected result. */
export async function makeCalls(client, steps) {
  for (const [index, [question, { request, send, render }]] of steps.entries()) {
    const started = performance.now();
    const answer = await send(client)
      .then(render)
      .catch((error) => {
        throw new Error(`${request}\n${error.message}`, { cause: error });
      });
    console.log(`${exchange({ number: index + 1, question, request, milliseconds: performance.now() - started, answer })}\n`);
  }
}

function names(features) {
  return features.map(({ name }) => name).join(', ');
}
