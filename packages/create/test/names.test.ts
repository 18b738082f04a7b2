import { describe, expect, it } from 'vitest';

import { deriveNames } from '../src/names.ts';

describe('the names of a new package', () => {
  it.each([
    ['weather', 'weather', 'WeatherServer'],
    ['weather-station', 'weather-station', 'WeatherStationServer'],
    ['@acme/weather_station.eu', 'weather_station.eu', 'WeatherStationEuServer'],
    ['mcp-weather', 'mcp-weather', 'WeatherServer'],
    ['weather-mcp-server', 'weather-mcp-server', 'WeatherServer'],
    ['mcp', 'mcp', 'MyServer'],
    ['@acme/server', 'server', 'MyServer'],
    ['3d-models', '3d-models', 'My3dModelsServer'],
  ])('are derived from %s', (name, server, className) => {
    expect(deriveNames(name)).toEqual({ package: name, server, class: className });
  });

  it('may have 214 characters', () => {
    const name = 'a'.repeat(214);
    expect(deriveNames(name).package).toBe(name);
    expect(() => deriveNames(`${name}a`)).toThrow('it has more than 214 characters');
  });

  it.each([
    '',
    'Weather',
    'the weather',
    '.weather',
    '_weather',
    '-weather',
    '../weather',
    'a/b',
    '@acme',
    '@acme/',
    '@acme/a/b',
    'wetter✓',
  ])('cannot be derived from %j, which npm rejects', (name) => {
    expect(() => deriveNames(name)).toThrow(`${JSON.stringify(name)} is not a valid package name: it must consist of`);
  });

  it.each(['node_modules', 'favicon.ico', 'http'])('cannot be derived from the reserved name %s', (name) => {
    expect(() => deriveNames(name)).toThrow('it is reserved by npm or Node.js');
  });
});
