import * as rules from 'class-validator';

import { Field } from '../../../src/index.ts';
import { EACH, type Row } from './row.ts';

const V1 = 'c232ab00-9414-11ec-b3c8-9f6bdeced846';
const V4 = '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d';
const LOOSE = '00000000-0000-9000-0000-00000000000a';

const text = (rule: PropertyDecorator, accepted: readonly string[], refused: readonly string[]) =>
  [[rules.IsString(), rule], { type: 'string' }, accepted, refused] as const;

export const FORMATS: readonly Row[] = [
  [
    'IsUUID',
    [rules.IsUUID()],
    { type: 'string', format: 'uuid' },
    [V1, V4, V4.toUpperCase(), '00000000-0000-0000-0000-000000000000'],
    ['', LOOSE, `{${V4}}`],
  ],
  ['IsUUID of a version', [rules.IsString(), rules.IsUUID('4')], { type: 'string', format: 'uuid' }, [V4], [V1]],
  ['IsUUID of several versions', [rules.IsUUID(['1', '4'] as never)], { type: 'string', format: 'uuid' }, [V1, V4], [LOOSE]],
  ['IsUUID of any digits', [rules.IsUUID('loose')], { type: 'string', format: 'uuid' }, [LOOSE, V4], ['x']],
  [
    'IsUUID of each',
    [rules.IsUUID('4', EACH)],
    { type: 'array', items: { type: 'string', format: 'uuid' } },
    [[], [V4]],
    [[V1], V4],
  ],
  [
    'IsUUID with another format',
    [rules.IsUUID(), Field({ format: 'note-id' })],
    { type: 'string', format: 'note-id' },
    [V4],
    ['a'],
  ],
  [
    'IsIP of the fourth version',
    [rules.IsIP('4')],
    { type: 'string', format: 'ipv4' },
    ['127.0.0.1', '0.0.0.0', '255.255.255.255'],
    ['::1', '256.0.0.1', '01.1.1.1'],
  ],
  ['IsIP of the fourth version as a number', [rules.IsIP(4)], { type: 'string', format: 'ipv4' }, ['10.0.0.1'], ['::1']],
  [
    'IsIP of the sixth version, without a keyword',
    [rules.IsIP('6')],
    { type: 'string' },
    ['::1', 'fe80::1%eth0', '::ffff:1.2.3.4'],
    ['127.0.0.1'],
  ],
  ['IsIP of any version, without a keyword', [rules.IsIP()], { type: 'string' }, ['127.0.0.1', '::1', 'fe80::1%eth0'], ['a']],
  [
    'a format of its own',
    [rules.IsString(), Field({ format: 'note-id' })],
    { type: 'string', format: 'note-id' },
    ['https://example.org/'],
    [1],
  ],
  [
    'a format of each',
    [rules.IsString(EACH), Field({ format: 'note-id' })],
    { type: 'array', items: { type: 'string', format: 'note-id' } },
    [[], ['a@example.org']],
    [[1]],
  ],
  ['IsEmail, without a keyword', ...text(rules.IsEmail(), ['a@example.org', 'ä@example.org'], ['a', 'a\uD800@example.org'])],
  ['IsUrl, without a keyword', ...text(rules.IsUrl(), ['https://example.org', 'example.org/ä'], ['a', 'https://'])],
  ['IsFQDN, without a keyword', ...text(rules.IsFQDN(), ['example.org'], ['a', 'example.org.'])],
  ['IsISO8601, without a keyword', ...text(rules.IsISO8601(), ['2026-02-30', '2026-07-28T10:00:00Z', '2026-W05'], ['yesterday'])],
  ['IsDateString, without a keyword', ...text(rules.IsDateString(), ['2026-07-28', '2026-07'], ['28.7.2026'])],
  ['IsRFC3339, without a keyword', ...text(rules.IsRFC3339(), ['2026-02-30T10:00:00Z', '2026-07-28 10:00:00Z'], ['2026-07-28'])],
  ['IsMilitaryTime, without a keyword', ...text(rules.IsMilitaryTime(), ['23:59'], ['24:00'])],
  ['IsTimeZone, without a keyword', ...text(rules.IsTimeZone(), ['Europe/Zurich'], ['Zurich'])],
  ['IsJSON, without a keyword', ...text(rules.IsJSON(), ['{"a":1}'], ['{'])],
  ['IsJWT, without a keyword', ...text(rules.IsJWT(), ['eyJhIjoxfQ.eyJhIjoxfQ.c2ln'], ['a.b'])],
  ['IsBase64, without a keyword', ...text(rules.IsBase64(), ['YWJj'], ['Y'])],
  ['IsDataURI, without a keyword', ...text(rules.IsDataURI(), ['data:text/plain;base64,YQ=='], ['data'])],
  ['IsHexadecimal, without a keyword', ...text(rules.IsHexadecimal(), ['ff00'], ['xyz'])],
  ['IsHexColor, without a keyword', ...text(rules.IsHexColor(), ['#fff'], ['#ggg'])],
  ['IsHash, without a keyword', ...text(rules.IsHash('md5'), ['d41d8cd98f00b204e9800998ecf8427e'], ['d41d'])],
  ['IsSemVer, without a keyword', ...text(rules.IsSemVer(), ['1.2.3-beta.1'], ['1.2'])],
  ['IsMimeType, without a keyword', ...text(rules.IsMimeType(), ['text/plain'], ['text'])],
  ['IsPort, without a keyword', ...text(rules.IsPort(), ['8080'], ['65536'])],
  ['IsNumberString, without a keyword', ...text(rules.IsNumberString(), ['-1.5'], ['a'])],
  ['IsBooleanString, without a keyword', ...text(rules.IsBooleanString(), ['true'], ['yes'])],
  ['IsLowercase, without a keyword', ...text(rules.IsLowercase(), ['abc', 'ä'], ['A'])],
  ['IsUppercase, without a keyword', ...text(rules.IsUppercase(), ['ABC'], ['a'])],
  ['IsAlpha, without a keyword', ...text(rules.IsAlpha('de-DE'), ['ä'], ['1'])],
  ['IsAlphanumeric, without a keyword', ...text(rules.IsAlphanumeric(), ['a1'], ['_'])],
  ['IsAscii, without a keyword', ...text(rules.IsAscii(), ['a~'], ['ä'])],
  ['IsLocale, without a keyword', ...text(rules.IsLocale(), ['de-CH'], ['!'])],
  ['IsLatLong, without a keyword', ...text(rules.IsLatLong(), ['47.3,8.5'], ['47.3'])],
  ['IsMongoId, without a keyword', ...text(rules.IsMongoId(), ['507f1f77bcf86cd799439011'], ['507f'])],
  ['IsPhoneNumber, without a keyword', ...text(rules.IsPhoneNumber('CH'), ['+41446681800'], ['1'])],
  ['IsStrongPassword, without a keyword', ...text(rules.IsStrongPassword(), ['aA1!aaaa'], ['aaaaaaaa'])],
  ['IsMacAddress, without a keyword', ...text(rules.IsMACAddress(), ['01:02:03:04:05:ab'], ['01:02'])],
  ['IsIBAN, without a keyword', ...text(rules.IsIBAN(), ['CH9300762011623852957'], ['CH93'])],
  ['IsISO31661Alpha2, without a keyword', ...text(rules.IsISO31661Alpha2(), ['CH'], ['XX'])],
  ['IsISO4217CurrencyCode, without a keyword', ...text(rules.IsISO4217CurrencyCode(), ['CHF'], ['ABC'])],
];
