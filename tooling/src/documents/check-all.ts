/**
 * Every check of the documents, over the repository as it lies on disk.
 *
 * Boundary: reads through the repository's facts; the checks themselves are pure.
 */
import { checkCatalog } from './check-catalog.ts';
import { checkDocument } from './check-document.ts';
import type { Finding, RepositoryFacts } from './repository-facts.ts';

export const checkAllDocuments = (
  documents: readonly string[],
  facts: RepositoryFacts,
): readonly Finding[] => [
  ...documents.flatMap((document) => checkDocument(document, facts.readFile(document) ?? '', facts)),
  ...checkCatalog(
    facts.readFile('CONTRIBUTING.md') ?? '',
    facts.readFile('pnpm-workspace.yaml') ?? '',
    facts.pinnedLibraries,
  ),
];

export const findingLine = ({ document, line, text }: Finding): string => `${document}:${line}: ${text}`;
