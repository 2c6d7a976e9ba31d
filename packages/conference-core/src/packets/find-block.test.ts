/** Catches: the wrong one of two packets being read, and prose being read as a packet. */
import { describe, expect, test } from 'vitest';
import { findBlock } from './find-block.ts';

const PACKET = '{"dispatch_id": "x", "claims": [{"claim": "uses {braces} and \\"quotes\\" }"}]}';
const YAML = 'dispatch_id: x\nstatus: completed\n';

describe('the one candidate', () => {
  test.each([
    ['the whole message', PACKET, 'json', PACKET],
    ['prose around', `Here it is: ${PACKET} Bye.`, 'json', PACKET],
    ['braces in prose', `Set {x} and { y } and {level: 9}. ${PACKET}`, 'json', PACKET],
    ['other JSON in prose', `I used {"level": 9} twice, {"a": {"b": 1}}. ${PACKET}`, 'json', PACKET],
    ['a labelled fence', `Sure.\n\`\`\`json\n${PACKET}\n\`\`\`\nBye.`, 'json', `${PACKET}\n`],
    ['a label in capitals', `\`\`\`JSON\n${PACKET}\n\`\`\``, 'json', `${PACKET}\n`],
    ['a label with more words', `\`\`\`json packet\n${PACKET}\n\`\`\``, 'json', `${PACKET}\n`],
    ['tildes', `~~~json\n${PACKET}\n~~~`, 'json', `${PACKET}\n`],
    ['a longer closing fence', `\`\`\`json\n${PACKET}\n\`\`\`\`\``, 'json', `${PACKET}\n`],
    ['an indented fence', `   \`\`\`json\n${PACKET}\n   \`\`\``, 'json', `${PACKET}\n`],
    ['no label', `\`\`\`\n${PACKET}\n\`\`\``, 'json', `${PACKET}\n`],
    ['YAML', `\`\`\`yaml\n${YAML}\`\`\``, 'yaml', YAML],
    ['yml', `\`\`\`yml\n${YAML}\`\`\``, 'yaml', YAML],
    ['YAML without a label', `\`\`\`\n${YAML}\`\`\``, 'yaml', YAML],
    ['CRLF', `\`\`\`json\r\n${PACKET}\r\n\`\`\`\r\n`, 'json', `${PACKET}\r\n`],
    [
      'a block of another language beside it',
      `\`\`\`python\nx = {"dispatch_id": 1}\n\`\`\`\n${PACKET}`,
      'json',
      PACKET,
    ],
    ['an unlabelled shell block beside it', `\`\`\`\n$ brotli -9 f\n\`\`\`\n${PACKET}`, 'json', PACKET],
    ['inline code that starts like a fence', `\`\`\`x\`\`\` is code. ${PACKET}`, 'json', PACKET],
    [
      'a fence of four around three',
      `\`\`\`\`json\n${PACKET}\n\`\`\`\n\`\`\`\``,
      'json',
      `${PACKET}\n\`\`\`\n`,
    ],
    ['only JSON of another kind', 'So: {"level": 9}', 'json', '{"level": 9}'],
  ])('%s [CHAR-05]', (_what, text, format, content) => {
    expect(findBlock(text)).toEqual({ ok: true, format, text: content });
  });

  test.each([
    ['two fenced blocks', `\`\`\`json\n${PACKET}\n\`\`\`\n\`\`\`json\n${PACKET}\n\`\`\``],
    ['a fenced block of each kind', `\`\`\`json\n${PACKET}\n\`\`\`\n\`\`\`yaml\n${YAML}\`\`\``],
    ['a block and a bare object', `\`\`\`json\n${PACKET}\n\`\`\`\n${PACKET}`],
    ['the example of the charter before the packet', `The schema was ${PACKET}; mine is\n${PACKET}`],
    [
      'two labelled blocks, one of them not a packet',
      `\`\`\`json\n{"level": 9}\n\`\`\`\n\`\`\`json\n${PACKET}\n\`\`\``,
    ],
    [
      'an unfinished object before a packet in a fence',
      `{"dispatch_id": "x", \n\`\`\`json\n${PACKET}\n\`\`\``,
    ],
    ['lines of objects', `${PACKET}\n${PACKET}`],
  ])('two candidates are refused: %s [CHAR-05]', (_what, text) => {
    expect(findBlock(text)).toEqual({
      ok: false,
      expected: 'one JSON object, or one fenced block of JSON or YAML, not 2 of them',
    });
  });

  test.each([
    ['nothing', '', 'one JSON object, or one fenced block of JSON or YAML'],
    ['prose', 'I could not finish.', 'one JSON object, or one fenced block of JSON or YAML'],
    ['bare YAML', YAML, 'one JSON object, or one fenced block of JSON or YAML'],
    ['JSON escaped twice', JSON.stringify(PACKET), 'one JSON object, or one fenced block of JSON or YAML'],
    ['a list around the packet', `[${PACKET}]`, 'one JSON object, not a list of them'],
    ['a fence that is never closed', `\`\`\`yaml\n${YAML}`, 'a fenced block that is closed'],
    ['a fence closed by the other mark', `\`\`\`yaml\n${YAML}~~~`, 'a fenced block that is closed'],
    ['a fence closed by fewer marks', `\`\`\`\`yaml\n${YAML}\`\`\``, 'a fenced block that is closed'],
    ['brackets only', '['.repeat(100_000), 'one JSON object, or one fenced block of JSON or YAML'],
  ])('%s is no candidate [CHAR-05]', (_what, text, expected) => {
    expect(findBlock(text)).toEqual({ ok: false, expected });
  });
});
