//! Small symmetric matrices.

/// The inverse of a symmetric positive definite matrix, row by row, by the Cholesky decomposition; `None` if
/// the matrix is not positive definite. Costs `k³` for k rows.
pub(super) fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let factor = cholesky(matrix)?;
    let column = |column: usize| {
        // Forward substitution in L y = e, backward substitution in Lᵀ x = y.
        let mut x = vec![0.0; size];
        for row in 0..size {
            let known: f64 = (0..row).map(|k| factor[row][k] * x[k]).sum();
            x[row] = (f64::from(u8::from(row == column)) - known) / factor[row][row];
        }
        for row in (0..size).rev() {
            let known: f64 = (row + 1..size).map(|k| factor[k][row] * x[k]).sum();
            x[row] = (x[row] - known) / factor[row][row];
        }
        x
    };
    // The inverse is symmetric, so its columns are its rows.
    Some((0..size).map(column).collect())
}

/// The lower triangular L with `L Lᵀ` = matrix.
fn cholesky(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let mut factor = vec![vec![0.0; matrix.len()]; matrix.len()];
    for row in 0..matrix.len() {
        for column in 0..=row {
            let known: f64 = (0..column).map(|k| factor[row][k] * factor[column][k]).sum();
            let rest = matrix[row][column] - known;
            factor[row][column] = if row > column {
                rest / factor[column][column]
            } else if rest > 0.0 {
                rest.sqrt()
            } else {
                return None;
            };
        }
    }
    Some(factor)
}

#[cfg(test)]
mod tests {
    use super::inverse;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let matrix = [vec![4.0, -1.0, 0.5], vec![-1.0, 3.0, 0.25], vec![0.5, 0.25, 2.0]];
        let inverse = inverse(&matrix).expect("it is positive definite");
        for (row, numbers) in matrix.iter().enumerate() {
            for column in 0..3 {
                let product: f64 = numbers
                    .iter()
                    .zip(&inverse)
                    .map(|(number, of_inverse)| number * of_inverse[column])
                    .sum();
                let one = f64::from(u8::from(row == column));
                assert!((product - one).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_matrix_that_is_not_positive_definite_has_no_inverse() {
        assert_eq!(inverse(&[vec![1.0, 2.0], vec![2.0, 1.0]]), None);
        assert_eq!(inverse(&[vec![f64::NAN]]), None);
    }
}
