import type { ExplainedPlan, ViewedPlan, ViewedStep } from '@org/mcp-sql';
import { count, showView, structureOf, textOf, viewDataOf, visible, visibleName, type ViewProps } from '@org/mcp-views';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

/** A step with at least this share of the time or cost is highlighted. */
const HOT = 0.3;
/** A step whose number of rows differs from the estimate by at least this factor is highlighted. */
const WRONG = 10;

showView('mcp-sql-plan', Plan);

function Plan({ result }: ViewProps): VNode {
  const { summary } = structureOf<ExplainedPlan>(result);
  const { root, planningMs, executionMs } = viewDataOf<ViewedPlan>(result);
  if (root === undefined) return <pre class="code">{visible(textOf(result))}</pre>;
  const isMeasured = root.actualMs !== undefined;
  return (
    <>
      <h1>Execution plan</h1>
      <p class="quiet">
        {isMeasured
          ? 'The bars show the time of each step without its inputs.'
          : 'The bars show the estimated cost of each step without its inputs.'}
        {executionMs !== undefined && ` Execution took ${executionMs} ms`}
        {planningMs !== undefined && `, planning ${planningMs} ms.`}
        {summary?.cost_before !== undefined &&
          ` The cost is ${summary.cost} with the assumed indexes and ${summary.cost_before} without them.`}
      </p>
      {summary !== undefined && summary.warnings.length > 0 && (
        <ul>
          {summary.warnings.map((warning) => (
            <li key={warning}>{visible(warning)}</li>
          ))}
        </ul>
      )}
      <ul class="plan" aria-label="Steps of the plan">
        <Step step={root} total={valueOf(root)} />
      </ul>
    </>
  );
}

/** Returns the time of a step and its inputs in milliseconds, or their estimated cost if the plan was not measured. */
function valueOf({ actualMs, cost }: ViewedStep): number {
  return actualMs ?? cost;
}

interface StepProps {
  readonly step: ViewedStep;
  /** Time in milliseconds, or estimated cost, of the whole plan. */
  readonly total: number;
}

function Step({ step, total }: StepProps): VNode {
  const [isOpen, setOpen] = useState(true);
  const { step: name, on, condition, children, details } = step;
  const own = Math.max(0, valueOf(step) - children.reduce((sum, child) => sum + valueOf(child), 0));
  const share = total > 0 ? Math.min(1, own / total) : 0;
  const title = on === undefined ? visibleName(name) : `${visibleName(name)} on ${visibleName(on)}`;
  return (
    <li>
      <div class={share >= HOT ? 'step hot' : 'step'}>
        <div class="row">
          {children.length > 0 && (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-label={`${isOpen ? 'Hide' : 'Show'} the inputs of ${title}`}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? '▾' : '▸'}
            </button>
          )}
          <strong class="grow name">{title}</strong>
          <span>{describeOwn(step, own, share)}</span>
        </div>
        <div class="share" aria-hidden="true">
          <div style={{ width: `${share * 100}%` }} />
        </div>
        <Rows step={step} />
        {condition !== undefined && <div class="code quiet">{visible(condition)}</div>}
        <details>
          <summary aria-label={`Details of ${title}`}>Details</summary>
          <dl>
            {Object.entries(details).map(([field, value]) => (
              <div key={field}>
                <dt>{visibleName(field)}</dt>
                <dd class="code">{visible(value)}</dd>
              </div>
            ))}
          </dl>
        </details>
      </div>
      {isOpen && children.length > 0 && (
        <ul>
          {children.map((child, index) => (
            <Step key={index} step={child} total={total} />
          ))}
        </ul>
      )}
    </li>
  );
}

function describeOwn({ actualMs }: ViewedStep, own: number, share: number): string {
  const amount = actualMs === undefined ? `cost ${own.toFixed(2)}` : `${own.toFixed(1)} ms`;
  return `${amount}, ${Math.round(share * 100)}%${share >= HOT ? ' (expensive)' : ''}`;
}

function Rows({ step: { rows, actualRows, loops } }: { readonly step: ViewedStep }): VNode {
  if (actualRows === undefined) return <div class="quiet">{count(rows, 'row')} estimated</div>;
  const estimated = rows * loops;
  const factor = Math.max(actualRows, 1) / Math.max(estimated, 1);
  const isWrong = factor >= WRONG || factor <= 1 / WRONG;
  return (
    <div class={isWrong ? 'wrong' : 'quiet'}>
      {count(actualRows, 'row')}, {count(estimated, 'row')} estimated
      {loops > 1 && `, ${count(loops, 'loop')}`}
      {isWrong &&
        (factor > 1
          ? `: ${Math.round(factor)} times more than estimated`
          : `: ${Math.round(1 / factor)} times fewer than estimated`)}
    </div>
  );
}
