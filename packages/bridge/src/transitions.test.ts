import { expect, test } from 'vitest';
import { questionEvents, transition, type QuestionEvent, type QuestionState } from './transitions.ts';

// The source's sentence, written out as literals: everything not listed changes nothing.
const moves: [from: QuestionState | null, event: QuestionEvent, to: QuestionState | null][] = [
  [null, 'question_received', 'pending'],
  ['pending', 'delivered', 'delivered'],
  ['pending', 'delivery_error', null],
  ['pending', 'answered', 'answered'],
  ['delivered', 'answered', 'answered'],
  ['pending', 'cancelled', 'cancelled'],
  ['delivered', 'cancelled', 'cancelled'],
  ['pending', 'timeout', 'timeout'],
  ['delivered', 'timeout', 'timeout'],
  ['answered', 'late_answer', 'answered'],
  ['cancelled', 'late_answer', 'cancelled'],
  ['timeout', 'late_answer', 'timeout'],
];
const states = [null, 'pending', 'delivered', 'answered', 'cancelled', 'timeout'] as const;

test('each listed state and event moves as listed, and none of the other combinations moves [BRID-26 BRID-27]', () => {
  for (const from of states)
    for (const event of questionEvents) {
      const move = moves.find(([has, by]) => has === from && by === event);
      const row = transition(from, event);
      expect(row === null ? 'stays' : row.to, `${from} + ${event}`).toBe(
        move === undefined ? 'stays' : move[2],
      );
    }
});
