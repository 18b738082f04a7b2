/** Creates a matrix of results, with a row for each step of a package and a column for each version of Node.js. */
export function createMatrix(nodes) {
  const cells = [];
  const countFailed = () => cells.filter(({ passed }) => !passed).length;
  return {
    countFailed,
    /** Runs one step, prints its result, and prints its output if it failed. Resolves to whether it passed. */
    async add({ name, step, node }, work) {
      const { code, output } = await work();
      const passed = code === 0;
      cells.push({ row: `${name} ${step}`, node, passed });
      console.log(`${passed ? '✓' : '✗'} ${name} ${step} on Node.js ${node.name}`);
      if (!passed) console.log(output);
      return passed;
    },
    /** Formats the table and the counts. */
    format() {
      const failed = countFailed();
      return [...formatRows(cells, nodes), `${cells.length - failed} passed, ${failed} failed`].join('\n');
    },
  };
}

function formatRows(cells, nodes) {
  const titles = [...new Set(cells.map(({ row }) => row))];
  const width = Math.max(...titles.map(({ length }) => length));
  const formatRow = (title, texts) => [title.padEnd(width), ...texts.map((text) => text.padEnd(8))].join('  ').trimEnd();
  const results = (title) => nodes.map((node) => describeCell(cells.find((cell) => cell.row === title && cell.node === node)));
  return [
    formatRow(
      '',
      nodes.map(({ name }) => name),
    ),
    ...titles.map((title) => formatRow(title, results(title))),
  ];
}

function describeCell(cell) {
  return cell === undefined ? '' : cell.passed ? 'passed' : 'failed';
}
