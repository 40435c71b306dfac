module.exports = () => ({ markdownTemplateEngine: false });
