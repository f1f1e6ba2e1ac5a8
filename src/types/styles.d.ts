// Style sheets that an entry imports: esbuild writes them beside the bundle.
declare module '*.css';
