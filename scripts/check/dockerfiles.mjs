import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DockerfileParser } from 'dockerfile-ast';

import { publishedPackages } from '../workspace/packages.mjs';
import { ROOT } from '../workspace/run.mjs';

/** Directories of the repository in the build stage, and of the server in the image. */
const REPOSITORY = '/repository/';
const SERVER = '/server/';

/**
 * Returns the problems of the Dockerfiles of the servers: copied files that do not exist after the build, and an image that does
 * not start the program as an ordinary user with a volume for its state and a health check. No image is built, because that needs
 * Docker.
 */
export function findDockerfileProblems() {
  return publishedPackages()
    .filter(({ manifest }) => manifest.mcpName !== undefined)
    .flatMap(({ directory, manifest }) => {
      const file = join(directory, 'Dockerfile');
      if (!existsSync(join(ROOT, file))) return [`${file} is missing`];
      const parsed = DockerfileParser.parse(readFileSync(join(ROOT, file), 'utf8'));
      return [...findCopyProblems(parsed), ...findImageProblems(parsed, manifest)].map((problem) => `${file}: ${problem}`);
    });
}

function findCopyProblems(parsed) {
  return parsed.getCOPYs().flatMap((copy) => {
    const sources = valuesOf(copy).slice(0, -1);
    const isFromBuild = copy.getFlags().some((flag) => flag.getName() === 'from');
    return sources
      .map((source) => (isFromBuild ? source.replace(REPOSITORY, '') : source))
      .filter((source) => !existsSync(join(ROOT, source)))
      .map((source) => `COPY of ${source}, which does not exist`);
  });
}

function findImageProblems(parsed, { bin, engines }) {
  const instructions = parsed.getInstructions();
  const image = instructions.slice(instructions.findLastIndex((instruction) => instruction.getKeyword() === 'FROM'));
  const values = (keyword) => image.filter((instruction) => instruction.getKeyword() === keyword).flatMap(valuesOf);
  const [[name, program]] = Object.entries(bin);
  const option = `MCP_${name.slice('mcp-'.length).toUpperCase()}_STATE_DIR`;
  const entry = join(SERVER, program);
  const required = [
    ['ENTRYPOINT', ['node', entry], `must start ${entry}`],
    ['USER', ['1000:1000'], 'must be 1000:1000'],
    ['VOLUME', ['/state'], 'must be /state'],
  ];
  const majors = parsed.getFROMs().map((from) => Number(/^node:(\d+)-/.exec(from.getImage())?.[1]));
  return [
    ...required
      .filter(([keyword, expected]) => JSON.stringify(values(keyword).map(unquote)) !== JSON.stringify(expected))
      .map(([keyword, , problem]) => `${keyword} ${problem}`),
    ...(values('HEALTHCHECK').length > 0 ? [] : ['HEALTHCHECK is missing']),
    ...(values('ENV').includes(`${option}=/state`) ? [] : [`ENV must set ${option}=/state`]),
    ...(majors.every((major) => major >= Number.parseInt(engines.node.slice(2), 10))
      ? []
      : ['FROM must be node with a supported major version']),
  ];
}

function valuesOf(instruction) {
  return instruction.getArguments().map((argument) => argument.getValue());
}

/** Returns a string of an array in JSON without its punctuation. */
function unquote(value) {
  return value.replaceAll(/^\[|[",]|\]$/g, '');
}
