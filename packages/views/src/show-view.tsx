import { render, type ComponentType, type VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { Client } from './client/client.ts';
import { textOf, type ClientContext, type ToolResult } from './client/messages.ts';
import type { ViewProps } from './client/view-props.ts';
import { Alert } from './parts/messages.tsx';
import { visible } from './text/visible-text.ts';

/** How a view treats results that it cannot show. */
interface ViewSettings {
  /** Whether the view also shows results that are errors. Default: the text of the error is shown. */
  readonly takesErrors?: boolean;
  /**
   * Whether the view must call tools to show anything. In clients that do not let views call tools, the text of the result is
   * shown.
   */
  readonly needsCalls?: boolean;
}

/** Shows a view of a tool's result in the document, as soon as the client sends it. */
export function showView(name: string, View: ComponentType<ViewProps>, settings: ViewSettings = {}): void {
  render(<Root name={name} View={View} settings={settings} />, document.body);
}

interface RootProps {
  readonly name: string;
  readonly View: ComponentType<ViewProps>;
  readonly settings: ViewSettings;
}

interface Shown {
  readonly client?: Client;
  readonly context: ClientContext;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result?: ToolResult;
  /** Number of the result, so that a later result replaces the state of the view. */
  readonly count: number;
  readonly isCancelled: boolean;
}

function Root({ name, View, settings }: RootProps): VNode {
  const [shown, setShown] = useState<Shown>({ context: {}, input: {}, count: 0, isCancelled: false });
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    const add = (part: Partial<Shown>): void => setShown((known) => ({ ...known, ...part }));
    const client = new Client({
      onInput: (input) => add({ input }),
      onResult: (result) => setShown((known) => ({ ...known, result, count: known.count + 1 })),
      onCancelled: () => add({ isCancelled: true }),
      onContext: (changed) => setShown((known) => ({ ...known, context: { ...known.context, ...changed } })),
    });
    void client.initialize(name).then((context) => add({ client, context }));
    return reportSize(client, main.current);
  }, [name]);
  useEffect(() => applyTheme(shown.context), [shown.context]);
  return (
    <main ref={main}>
      <Content shown={shown} View={View} settings={settings} />
    </main>
  );
}

function Content({ shown, View, settings }: Omit<RootProps, 'name'> & { readonly shown: Shown }): VNode {
  const { client, context, input, result, count, isCancelled } = shown;
  if (client === undefined || result === undefined)
    return <p role="status">{isCancelled ? 'The call was cancelled.' : 'Waiting for the result…'}</p>;
  if (result.isError === true && settings.takesErrors !== true) return <Alert text={textOf(result)} />;
  if (settings.needsCalls === true && !client.canCall) return <pre class="code">{visible(textOf(result))}</pre>;
  return <View key={count} client={client} tool={context.toolInfo?.tool?.name} input={input} result={result} />;
}

function applyTheme({ theme, styles, locale }: ClientContext): void {
  const root = document.documentElement;
  root.style.colorScheme = theme ?? 'light dark';
  if (locale !== undefined) root.lang = locale;
  for (const [name, value] of Object.entries(styles?.variables ?? {}))
    if (value !== undefined && name.startsWith('--')) root.style.setProperty(name, value);
}

function reportSize(client: Client, element: HTMLElement | null): () => void {
  if (element === null) return () => undefined;
  const observer = new ResizeObserver(() =>
    client.resized(element.scrollWidth, Math.ceil(element.getBoundingClientRect().height)),
  );
  observer.observe(element);
  return () => observer.disconnect();
}
