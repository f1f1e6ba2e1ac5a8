import type { Translation } from '../l10n.ts';

export function translations(): Readonly<Record<string, Translation>>;
export function saveTranslation(language: string, table: Translation): void;
export function writeTranslations(): void;
