// The bugs: a token that no rule knows passes; a packet turns the rules off by a comment; a finding carries its text.
import { expect, test } from 'vitest';
import { createScanner } from './scanner.ts';

const scanner = createScanner();

/** Made up and put together here, so that no scanner of this repository stumbles over them. */
const TOKENS: Readonly<Record<string, string>> = {
  github: `ghp_${'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'}`,
  aws: `AKIA${'IOSFODNN7EXAMPL1'}`,
  telegram: `123456789:${'AAF-this_is_a_made_up_test_token_01'}`,
  sk: `sk-${'testtesttesttesttesttesttesttest1234'}`,
  jwt: `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiJ0ZXN0In0'}.${'c2lnbmF0dXJlc2lnbmF0dXJl'}`,
  stripe: `sk_test_${'4eC39HqLyjWDarjtT1zdp7dc'}`,
  google: `AIza${'SyTestTestTestTestTestTestTestTest0'}`,
};

test.each(Object.entries(TOKENS))(
  'a made-up %s token is found, and the finding does not hold it [PROTO-21]',
  async (_, token) => {
    const found = await scanner.scan(`the log says ${token} and goes on`);
    expect(found.length).toBeGreaterThan(0);
    expect(JSON.stringify(found)).not.toContain(token);
    expect(found[0]?.offset).toBe('the log says '.length);
  },
);

test('text that asks the rules to look away is searched all the same [PROTO-21]', async () => {
  const found = await scanner.scan(`/* secretlint-disable */\n${TOKENS['github'] ?? ''}`);
  expect(found.length).toBeGreaterThan(0);
});

test('numbers, digests, ids and ordinary sentences are no secrets', async () => {
  const text = `sha256:${'a'.repeat(64)} 01J9ZQ4V7N3K8M2R5T6W8X9Y0A 12.5 ms; rotate the key before the release.`;
  expect(await scanner.scan(text)).toEqual([]);
});
