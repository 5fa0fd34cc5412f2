"""The stage glmm: mixed models of ratings, beside the paired tests of the stage analysis."""
