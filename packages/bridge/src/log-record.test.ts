import { expect, test } from 'vitest';
import { detailText, logEvents, logLine, logRecord } from './log-record.ts';

test('a log line is one JSON object with at, qid, event and, where there is one, detail [BRID-28]', () => {
  const at = Date.parse('2026-11-30T10:00:00Z');
  expect(logLine(logRecord(at, { qid: 'q', event: 'delivered' }))).toBe(
    '{"at":"2026-11-30T10:00:00.000Z","qid":"q","event":"delivered"}\n',
  );
  const hostile = logLine(
    logRecord(at, { qid: 'a\nb', event: 'answer_rejected' }, { name: '\n{"event":"answered"}' }),
  );
  expect(hostile.indexOf('\n')).toBe(hostile.length - 1);
  expect(hostile).toContain('"detail":{"name":"\\n{');
});

test('the events are those of the contract [BRID-28]', () => {
  expect(logEvents).toEqual([
    'question_received',
    'delivered',
    'delivery_error',
    'answered',
    'cancelled',
    'timeout',
    'late_answer',
    'answer_rejected',
  ]);
});

test('a stranger’s text is bounded in a line and never cut inside a pair', () => {
  expect(detailText('short')).toBe('short');
  const cut = detailText('🙂'.repeat(2000));
  expect(cut.length).toBeLessThanOrEqual(2001);
  expect(cut).not.toMatch(/\p{Surrogate}/u);
});
